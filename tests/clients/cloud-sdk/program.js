// A program that uses the generated client: lists, creates, changes, binds, sends a batch, and prints the replies.
const { asc, desc } = require('@sap-cloud-sdk/odata-v4')
const { batch, changeset, dagsverk } = require('./generated/dagsverk')

const { SERVICE_URL: url, SERVICE_KEY: key } = process.env
const destination = { url, headers: { 'tb-key': key } }
const { ansattApi, avdelingApi } = dagsverk()
const { schema } = ansattApi

/** The HTTP status of a failed request, which the SDK wraps. */
function statusOf(error) {
  for (let cause = error; cause != null; cause = cause.cause)
    if (cause.response !== undefined) return cause.response.status
  throw error
}

async function list() {
  const employees = await ansattApi
    .requestBuilder()
    .getAll()
    .select(schema.ID, schema.FORNAVN, schema.STILLINGSPROSENT)
    .expand(schema.AVDELING.select(avdelingApi.schema.NAVN))
    .filter(schema.AVDELING_ID.equals('10'))
    .orderBy(desc(schema.FORNAVN))
    .execute(destination)
  return employees.map(({ id, fornavn, stillingsprosent, avdeling }) => [
    id,
    fornavn,
    stillingsprosent?.toString() ?? null,
    avdeling.navn,
  ])
}

async function create() {
  const builder = ansattApi.entityBuilder().fornavn('Nils')
  const bound = builder.withCustomFields({ 'Avdeling@odata.bind': "Avdeling('20')" }).build()
  const created = await ansattApi.requestBuilder().create(bound).execute(destination)
  return [created.id, created.fornavn, created.avdelingId]
}

async function change() {
  const read = async () => {
    const request = ansattApi.requestBuilder().getAll().filter(schema.AVDELING_ID.equals('20'))
    const [first] = await request.orderBy(asc(schema.ID)).top(1).execute(destination)
    return first
  }
  const [mine, theirs] = [await read(), await read()]
  mine.tittel = 'Selger'
  const changed = await ansattApi.requestBuilder().update(mine).execute(destination)
  theirs.tittel = 'Kokk'
  const conflict = await ansattApi
    .requestBuilder()
    .update(theirs)
    .execute(destination)
    .then(() => null, statusOf)
  changed.tittel = 'Leder'
  await ansattApi.requestBuilder().update(changed).replaceWholeEntityWithPut().execute(destination)
  return { conflict, title: (await read()).tittel }
}

async function sendBatch() {
  const department = avdelingApi.entityBuilder().id('40').navn('Kafé').build()
  const [read, written] = await batch(
    ansattApi.requestBuilder().getByKey(1).select(schema.FORNAVN),
    changeset(avdelingApi.requestBuilder().create(department)),
  ).execute(destination)
  const [created] = written.responses
  return [read.as(ansattApi)[0].fornavn, created.httpCode, created.as(avdelingApi).navn]
}

async function main() {
  const steps = { list: await list(), created: await create(), ...(await change()) }
  console.log(JSON.stringify({ ...steps, batch: await sendBatch() }))
}

main().catch((error) => {
  console.error(error, error.cause, error.rootCause?.response?.data)
  process.exitCode = 1
})
