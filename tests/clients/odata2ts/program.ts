// A program that uses the generated client: reads, follows relations, writes, and prints the replies.
import { FetchClient, type FetchClientError } from '@odata2ts/http-client-fetch'
import { DagsverkService } from './service/DagsverkService'

declare const process: { env: { SERVICE_URL: string; SERVICE_KEY: string } }

const { SERVICE_URL: url, SERVICE_KEY: key } = process.env
const service = new DagsverkService(new FetchClient({ headers: { 'tb-key': key } }), url)

async function read() {
  const employees = await service.Ansatt().query((query, employee) =>
    query
      .select('Id', 'Stillingsprosent')
      .filter(employee.Avdeling.props.Navn.startsWith('Bygg'))
      .orderBy(employee.Fornavn.desc())
      .skip(1)
      .top(1)
      .count()
      .expanding('Avdeling', (inner) => inner.select('Navn')),
  )
  return { employees: employees.data.value, count: employees.data['@odata.count'] }
}

async function follow() {
  const above = await service.Avdeling('20').Hovedavdeling().query()
  const members = await service
    .Avdeling('10')
    .Ansatte()
    .query((query, employee) => query.select('Fornavn').orderBy(employee.Id.asc()))
  return { above: above.data.Navn, members: members.data.value.map(({ Fornavn }) => Fornavn) }
}

async function write() {
  const created = await service.Avdeling().create({ Id: '4/0 & 1', Navn: 'Kafé', Aktiv: true })
  const department = service.Avdeling(created.data.Id)
  const patched = await department.patch({ Navn: 'Kafé & bakeri' })
  const { data } = await department.query((query) => query.select('Id', 'Navn', 'Aktiv'))
  const deleted = await department.delete()
  const gone = await department.query().catch((error: FetchClientError) => error)
  const statuses = [created, patched, deleted, gone].map(({ status }) => status)
  return { created: created.data.Navn, stored: [data.Id, data.Navn, data.Aktiv], statuses }
}

async function main() {
  console.log(JSON.stringify({ ...(await read()), ...(await follow()), ...(await write()) }))
}

void main()
