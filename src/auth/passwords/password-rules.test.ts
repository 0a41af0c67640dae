import { expect, test } from 'vitest'
import { formatMessage } from '../../errors/messages.ts'
import { companyNameProblem, emailProblem, passwordProblem, legacyPasswordProblem } from './password-rules.ts'

test.each([
  'riktig hest batteri stift',
  'blåbærsyltetøyet til Åse',
  'x7#kQ9!vLm2@pZ4w',
  'æ ø å, hver dag en tur',
  'hest '.repeat(40).trim() + ' over fjellet',
])('accepted: %s', (password) => {
  expect(passwordProblem(password, ['Fjord AS'])).toBeNull()
})

test.each([
  ['fjorten tegn her'.slice(0, 14), '14 characters; at least 15 are required'],
  [' riktig hest batteri stift', 'begin or end with a space'],
  ['riktig hest\tbatteri stift', 'cannot be typed'],
  ['x'.repeat(1_001), 'more than 1000'],
  ['aaaaaaaaaaaaaaaaaaaa', 'easy to guess'],
  ['abcabcabcabcabcabc', 'easy to guess'],
  ['passordpassord123', 'easy to guess'],
  ['Fjordfjordfjord2026', 'easy to guess'],
  ['qwertyuiopasdfghjkl', 'easy to guess'],
  ['Velkommen til Fjord 2026', 'easy to guess'],
  ['123456789012345678', 'easy to guess'],
  ['1qaz2wsx3edc4rfv', 'easy to guess'],
  ['Q1w2e3r4t5y6u7i8', 'easy to guess'],
  ['1qazXSW23edcVFR4', 'easy to guess'],
  ['qwertasdfgzxcvb', 'easy to guess'],
  ['MailCreated5240', 'easy to guess'],
  ['hd764nw5d7e1vb1', 'easy to guess'],
])('rejected: %j', (password, problem) => {
  const found = passwordProblem(password, ['Fjord AS'])
  expect(found && formatMessage(found, 'en')).toContain(problem)
})

test('company names may contain anything that can be sent', () => {
  for (const name of ['TEST', 'Blåbær & Sønn AS', 'a', '7']) expect(companyNameProblem(name)).toBeNull()
  for (const name of ['', ' TEST', 'a:b', 'a\nb', 'x'.repeat(101)]) expect(companyNameProblem(name)).not.toBeNull()
})

test('legacy passwords may be short but must be sendable', () => {
  expect(legacyPasswordProblem('1234')).toBeNull()
  for (const password of ['', ' 1234', '12\t34']) expect(legacyPasswordProblem(password)).not.toBeNull()
})

test('an e-mail address has a local part and a domain', () => {
  for (const email of ['kari@fjord.example', 'a@b']) expect(emailProblem(email)).toBeNull()
  for (const email of ['', 'kari', 'kari@', '@fjord', 'k ari@fjord', `${'a'.repeat(250)}@b.no`])
    expect(emailProblem(email)).not.toBeNull()
})
