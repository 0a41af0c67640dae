import { expect, test } from 'vitest'
import { buildLink } from './continuation-link.ts'

const carried = 'select filter orderby count top'
const origin = 'https://dagsverk.example'

test.each([
  ['', '$skiptoken=x'],
  ['$select=Id', '$select=Id&$skiptoken=x'],
  ['$filter=A%20eq%20%27%C3%A5%27', '$filter=A%20eq%20%27%C3%A5%27&$skiptoken=x'],
  ["$filter=A eq 'Ã¥'", "$filter=A%20eq%20'%C3%A5'&$skiptoken=x"],
  ['$filter=A eq "<>\\^`{|}[]#', '$filter=A%20eq%20%22%3C%3E%5C%5E%60%7B%7C%7D%5B%5D%23&$skiptoken=x'],
  ['%24SELECT=Id&ORDERBY=Id+desc', '%24SELECT=Id&ORDERBY=Id+desc&$skiptoken=x'],
  ['@a=1&$skip=3&_=17&apikey=hemmelig', '@a=1&$skiptoken=x'],
  ['$skiptoken=old&$top=5', '$top=5&$skiptoken=x'],
  ['firma=A&passord=b&%66irma=A&PASSORD=b&key=c&+passord=b&p%61ssord=b', '$skiptoken=x'],
  ['%ZZ=1&&=&$count=true', '$count=true&$skiptoken=x'],
])('the query string %j becomes %j in the link', (search, expected) => {
  const path = '/odata/Ansatt'
  expect(buildLink({ origin, path, search }, { $skiptoken: 'x' }, carried)).toBe(`${origin}${path}?${expected}`)
})

test('a set option replaces the one in the request, whatever its spelling', () => {
  const request = { origin, path: "/odata/Avdeling('Ã¥')/Ansatte", search: 'TOP=9&$count=true' }
  expect(buildLink(request, { $top: '4' }, carried)).toBe(
    `${origin}/odata/Avdeling('%C3%A5')/Ansatte?$count=true&$top=4`,
  )
})
