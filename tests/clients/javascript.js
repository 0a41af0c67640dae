// A typical JavaScript client: local dates through toISOString(), strings from forms, null for
// unset values. Arguments: address, company, password. Prints a line for each record that should be stored.

const [address, firma, passord] = process.argv.slice(2)
const account = new URLSearchParams({ firma, passord }).toString()

async function post(path, body, headers = { 'Content-Type': 'application/json' }) {
  const answer = await fetch(`${address}${path}?${account}`, {
    method: 'POST',
    headers,
    body: typeof body === 'object' && !(body instanceof ReadableStream) ? JSON.stringify(body) : body,
    duplex: 'half',
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`)
  return JSON.parse(text)
}

const chunked = (text) =>
  new ReadableStream({
    start(controller) {
      const bytes = new TextEncoder().encode(text)
      // In the middle of the text.
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7))
      controller.close()
    },
  })

const setPerDate = '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato'
const meant = new Map()
const means = (date, department, amount) => {
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  const text = day.map((number) => String(number).padStart(2, '0')).join('-')
  meant.set(`${text} ${department}`, amount)
}

// A date from a date picker: local midnight, without regard to the time zone.
const picked = [
  new Date(2024, 0, 31),
  new Date(2024, 4, 1),
  // Daylight saving time changes on these dates and the day before.
  new Date(2024, 2, 31),
  new Date(2024, 2, 30),
  new Date(2024, 9, 27),
  new Date(2024, 9, 26),
  new Date(new Date().setHours(0, 0, 0, 0)),
]
for (const date of picked) {
  // JSON.stringify calls toISOString().
  const row = { Dato: date, AvdelingID: 20, Omsetning: (12500.5).toFixed(2), Merknad: null }
  await post(setPerDate, [row])
  await post(setPerDate, [row])
  means(date, 20, 12500.5)
}

// Noon: the dates in UTC and in Norway are equal.
const noon = new Date(2024, 5, 1, 12)
await post(setPerDate, [{ Dato: noon.toISOString(), AvdelingID: '21', Omsetning: 0.1 + 0.2 }])
await post(setPerDate, [{ Dato: noon.toISOString().slice(0, 10), AvdelingID: '22', Omsetning: 1e3 }])
means(noon, 21, 0.3)
means(noon, 22, 1000)

// A byte order mark from a Windows editor, sent in chunks.
const summer = new Date(2024, 6, 15)
const saved = JSON.stringify([{ Dato: summer, AvdelingID: '007', Omsetning: '-49.90' }])
await post(setPerDate, chunked(`\uFEFF${saved}`), { 'Content-Type': 'application/json' })
means(summer, '007', -49.9)

// Inconsistent letter case, and a double slash between base URL and path.
const lower = { dato: '2024-07-16', avdelingid: 'Ærø', omsetning: 7 }
await post('//DEV//omsetning/lagreelleroppdateromsetningPRDATO/', [lower])
means(new Date(2024, 6, 16), 'Ærø', 7)

const autumn = new Date(2024, 8, 2)
const inserted = await post('/dev/Omsetning/Lagre', {
  InntekstplanId: 0,
  Dato: autumn,
  ipType: null,
  AvdelingID: '30',
  Omsetning: '100',
  Merknad: undefined,
})
await post('/dev/Omsetning/Oppdater', { InntekstplanId: String(inserted.InntektsPlanId), Omsetning: '80.05' })
await post('/dev/Omsetning/LagreEllerOppdaterListe', [
  { ...inserted, Omsetning: 81.05 },
  { InntekstplanId: null, Dato: autumn, AvdelingID: '31', Omsetning: 5 },
])
means(autumn, 30, 81.05)
means(autumn, 31, 5)

for (const part of [0.1, '0.2', 0.3])
  await post('/dev/Omsetning/AggsertOmsetning', { Dato: autumn, AvdelingID: 40, Omsetning: part })
means(autumn, 40, 0.6)

const question = new URLSearchParams({
  Firma: firma,
  PASSORD: passord,
  $filter: "Dato eq datetime('2024-07-16') and AvdelingID eq 'Ærø'",
}).toString()
const found = await (await fetch(`${address}/dev/Omsetning/Finn?${question}`)).json()
if (found.length !== 1) throw new Error(`found ${JSON.stringify(found)}`)

for (const [cell, amount] of meant) process.stdout.write(`${cell} ${amount}\n`)
