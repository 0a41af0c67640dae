// Benchmark requests of sections 4.1 to 4.4 of the interface: every address there, and every form of query.
import {
  cellFilter,
  changedKey,
  changedRecord,
  day,
  dayFilter,
  daysFilter,
  departmentFilter,
  existingJson,
  mixedList,
  newRecord,
} from './interface-fields.ts'
import {
  bodyRequest,
  companyPath,
  getRequest,
  revenuePath,
  type CheckedRequest,
  type RequestParameters,
} from './requests.ts'
import { latestChangesPath, pollRequest } from './revenue-reads.ts'
import { usageOf } from './rows.ts'

/** The reads that the requests of a company depend on: its latest changes, and lines that wait for export. */
export function interfacePreparation(company: number): string[] {
  const lines = companyPath(company, '/prosjekt/TransaksjonsEksport', ['$select=Id', '$top=10'])
  return [latestChangesPath(company), lines]
}

/**
 * Each kind of request once for a company, then for the next one. Writes insert only after the last day of the
 * data, so that reads of its days find what was filled in.
 */
export function interfaceRequest(parameters: RequestParameters): CheckedRequest {
  const [name, build] = kinds[parameters.index % kinds.length] ?? kinds[0]
  return { name, ...build(parameters) }
}

/** All records of a company: what `Finn` without options returns. */
export function everyRecordRequest(parameters: RequestParameters): CheckedRequest {
  return { name: '4.1 Finn, every record of a company', ...find(parameters, []) }
}

type Kind = readonly [name: string, build: (parameters: RequestParameters) => CheckedRequest]

const kinds: readonly [Kind, ...Kind[]] = [
  ['4.1 PrDato, one object', (parameters) => setPerDate(existingJson(parameters, 1), parameters)],
  ['4.1 PrDato, 100 objects', (parameters) => setPerDate(existingJson(parameters, 100), parameters)],
  ['4.1 PrDato, a new day', (parameters) => setPerDate([newRecord(parameters)], parameters)],
  ['4.1 Oppdater', (parameters) => post(parameters, 'Oppdater', changedRecord(parameters))],
  ['4.1 Lagre', (parameters) => post(parameters, 'Lagre', newRecord(parameters))],
  ['4.1 Liste', (parameters) => post(parameters, 'LagreEllerOppdaterListe', mixedList(parameters))],
  ['4.1 Finn, a cell', (parameters) => find(parameters, [`$filter=${cellFilter(parameters)}`])],
  ['4.1 Finn, a day', (parameters) => find(parameters, [`$filter=${dayFilter(parameters)}`])],
  ['4.1 Finn, a day, by date', (parameters) => find(parameters, [`$filter=${dayFilter(parameters)}`, '$orderby=Dato'])],
  [
    '4.1 Finn, a department, 10',
    (parameters) => find(parameters, [`$filter=${departmentFilter(parameters)}`, '$top=10']),
  ],
  [
    '4.1 Finn, a department, by date',
    (parameters) => find(parameters, [`$filter=${departmentFilter(parameters)}`, '$orderby=Dato', '$top=100']),
  ],
  ['4.1 Finn, a type', (parameters) => find(parameters, ["$filter=ipType eq 'I'", '$top=100'])],
  ['4.1 Finn, $select', (parameters) => find(parameters, ['$select=Dato,Omsetning', '$top=100'])],
  ['4.1 Finn, $orderby', (parameters) => find(parameters, ['$orderby=Dato desc,AvdelingID', '$top=100'])],
  ['4.1 Finn, the first 1,000', (parameters) => find(parameters, ['$top=1000'])],
  [
    '4.1 Finn, four days, by date',
    (parameters) => find(parameters, [`$filter=${daysFilter(parameters)}`, '$orderby=Dato']),
  ],
  [
    '4.1 Finn, from a day on, second page',
    (parameters) => find(parameters, [`$filter=Dato ge ${day(parameters)}`, '$skip=10', '$top=10', '$count=true']),
  ],
  ['4.1 Finn, changes', withoutBraces(pollRequest)],
  [
    '4.1 Finn, from a key on',
    (parameters) => find(parameters, [`$filter=InntektsPlanId ge ${changedKey(parameters)}`, '$top=10']),
  ],
  [
    '4.1 Finn, or, startswith',
    (parameters) =>
      find(parameters, [`$filter=${dayFilter(parameters)} and (startswith(AvdelingID,'1') or not (Omsetning gt 1))`]),
  ],
  ['4.1 Finn, without an index', (parameters) => find(parameters, ["$filter=contains(Merknad,'kasse 2')", '$top=10'])],
  ['4.2 /omsetning', (parameters) => add(parameters, '/omsetning/AggsertOmsetning')],
  ['4.2 /omsetning/Omsetning', (parameters) => add(parameters, '/omsetning/Omsetning/AggsertOmsetning')],
  ['4.2 /dev/Omsetning', (parameters) => add(parameters, '/dev/Omsetning/AggsertOmsetning')],
  ['4.2 /dev', (parameters) => add(parameters, '/dev/AggsertOmsetning')],
  ['4.3 employees, $select', (parameters) => readSet(parameters, '/ansatt/ansatt', ['$select=id,fornavn,etternavn'])],
  ['4.3 employees, $expand', (parameters) => readSet(parameters, '/ansatt/ansatt', ['$expand=avdeling'])],
  ['4.3 departments', (parameters) => readSet(parameters, '/ansatt/avdeling', ['$select=id,navn'])],
  [
    '4.3 projects',
    (parameters) =>
      readSet(parameters, '/prosjekt/Prosjekt', [
        '$select=id,navn,avdelingid,anleggid',
        '$expand=avdeling($select=id,navn),anlegg($select=id,navn)',
      ]),
  ],
  ['4.4 Batch', registerLines],
  ['4.4 TransaksjonsEksport', (parameters) => readSet(parameters, '/prosjekt/TransaksjonsEksport')],
  ['4.4 Eksportert', acknowledgeLines],
]

/** How many consecutive requests are of the same company. */
export const interfaceRequestKinds = kinds.length

function find({ company }: RequestParameters, options: readonly string[]): CheckedRequest {
  const path = revenuePath(company, 'Finn', options)
  return { request: getRequest(path), contains: Buffer.from('[{"') }
}

function readSet({ company }: RequestParameters, path: string, options: readonly string[] = []) {
  const request = getRequest(companyPath(company, path, options))
  return { request, contains: Buffer.from('"value":[{') }
}

function post({ company }: RequestParameters, action: string, body: string): CheckedRequest {
  const request = bodyRequest('POST', revenuePath(company, action), body)
  return { request, contains: Buffer.from('"InntektsPlanId":') }
}

function setPerDate(objects: readonly string[], parameters: RequestParameters): CheckedRequest {
  return post(parameters, 'LagreEllerOppdaterOmsetningPrDato', `[${objects.join(',')}]`)
}

function add(parameters: RequestParameters, path: string): CheckedRequest {
  const [object = ''] = existingJson(parameters, 1)
  const body = parameters.random(2) === 0 ? object : `[${object}]`
  const request = bodyRequest('POST', companyPath(parameters.company, path), body)
  return { request, contains: Buffer.from('"InntektsPlanId":') }
}

function registerLines({ company, random }: RequestParameters): CheckedRequest {
  const lines = Array.from({ length: 10 }, () => usageOf(random(10_000)))
  const path = companyPath(company, '/prosjekt/Transaksjon/Batch')
  return { request: bodyRequest('POST', path, JSON.stringify(lines)), contains: results }
}

/** The same lines again and again: what was acknowledged before is confirmed. */
function acknowledgeLines({ company, prepared }: RequestParameters): CheckedRequest {
  const { value } = prepared[1] as { readonly value: readonly { Id: number }[] }
  const path = companyPath(company, '/prosjekt/Transaksjonseksport/Eksportert')
  const body = JSON.stringify({ ids: value.map(({ Id }) => Id) })
  return { request: bodyRequest('POST', path, body), contains: results }
}

const results = Buffer.from('"resultater":[')

/** Other requests of the case change how many records a reply has. */
function withoutBraces(build: Kind[1]): Kind[1] {
  return (parameters) => {
    const { request, contains } = build(parameters)
    return { request, contains }
  }
}
