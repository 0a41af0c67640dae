// Texts of the audit in both languages; loaded with the screens that use them.
import { frameTexts } from './frame.ts'
import { pluralize } from './plural.ts'
import { defineSection, type Translation } from './translation.ts'

/** Ids as ranges, `3–5, 9`. */
function nameLines(ids: string): readonly [nb: string, en: string] {
  return /^\d+$/.test(ids) ? [`Linje ${ids}`, `Line ${ids}`] : [`Linjer ${ids}`, `Lines ${ids}`]
}

export const auditText = defineSection({
  audit: {
    line: ['Linjenummer', 'Line number'],
    who: ['Hvem', 'Who'],
    notSignIns: ['Alt unntatt innlogging', 'All except sign-ins'],
    allActions: ['Alle handlinger', 'All actions'],
    elsewhere: [
      'Rettelser av omsetning står i historikken til hvert tall, under',
      'Corrections of revenue are in the history of each figure, under',
    ],
    number: ['Nr.', 'No.'],
    details: ['Detaljer', 'Details'],
    empty: ['Ingen hendelser ennå', 'No entries yet'],
    emptyText: [
      'Her vises hver registrering, avgjørelse og eksport, med hvem og når.',
      'Every registration, decision and export is listed here, with who and when.',
    ],
    actions: {
      register: ['Registrerte', 'Registered'],
      edit: ['Endret', 'Changed'],
      delete: ['Slettet', 'Deleted'],
      approve: ['Godkjente', 'Approved'],
      reject: ['Avviste', 'Rejected'],
      withdraw: ['Trakk godkjenning', 'Withdrew approval'],
      retrieve: ['Hentet', 'Fetched'],
      acknowledge: ['Meldte bokført', 'Reported as booked'],
      fail: ['Meldte feil', 'Reported failure'],
      claim: ['Reserverte', 'Claimed'],
      released: ['Frigjorde', 'Released'],
      done: ['Fullførte', 'Finished'],
      closed: ['Håndterte utenfor', 'Handled elsewhere'],
      undone: ['Angret eksport', 'Undid export'],
      retried: ['Prøvde igjen', 'Tried again'],
      sent_back: ['Sendte til godkjenning', 'Sent back to approval'],
      broken: ['Brøt reservasjon', 'Broke a claim'],
      'key-add': ['Laget nøkkel eller passord', 'Created key or password'],
      'key-trial': ['Laget nøkkel for API-referansen', 'Created key for the API reference'],
      'key-rotate': ['Fornyet nøkkel eller passord', 'Renewed key or password'],
      'key-revoke': ['Slettet nøkkel eller passord', 'Deleted key or password'],
      'person-add': ['La til person', 'Added person'],
      'person-invite': ['Inviterte', 'Invited'],
      'invitation-withdraw': ['Slettet invitasjon', 'Deleted invitation'],
      'person-join': ['Ble med', 'Joined'],
      'person-change': ['Endret person', 'Changed person'],
      'person-disable': ['Fjernet tilgang', 'Removed access'],
      'person-enable': ['Ga tilgang igjen', 'Gave access again'],
      import: ['Importerte fil', 'Imported a file'],
      'record-add': ['La til post', 'Added a record'],
      'record-change': ['Endret post', 'Changed a record'],
      'record-remove': ['Slettet post', 'Deleted a record'],
      'import-undo': ['Angret import', 'Undid an import'],
      'factor-on': ['Slo på totrinn', 'Turned on two-step sign-in'],
      'factor-off': ['Slo av totrinn', 'Turned off two-step sign-in'],
      'factor-codes': ['Laget gjenopprettingskoder', 'Created recovery codes'],
      'password-change': ['Byttet passord', 'Changed password'],
      'session-end': ['Logget ut et annet sted', 'Signed out elsewhere'],
      'device-end': ['Fjernet enhet', 'Removed a device'],
      'identity-off': ['Fjernet knytning', 'Unlinked identity provider'],
      'passkey-add': ['Laget passnøkkel', 'Created a passkey'],
      'passkey-end': ['Fjernet passnøkkel', 'Removed a passkey'],
      settings: ['Endret innstillinger', 'Changed settings'],
      'alert-rule': ['Endret varsel', 'Changed alert rule'],
      'webhook-add': ['La til webhook', 'Added webhook'],
      'webhook-rotate': ['Fornyet hemmelighet', 'Renewed secret'],
      'webhook-remove': ['Slettet webhook', 'Deleted webhook'],
      'webhook-enable': ['Slo på webhook', 'Enabled webhook'],
      'webhook-test': ['Prøvde webhook', 'Tested webhook'],
      'webhook-resend': ['Sendte på nytt', 'Sent again'],
      backup: ['Laget sikkerhetskopi', 'Created a backup'],
      'company-add': ['La til firma', 'Added company'],
      'company-close': ['Stengte firma', 'Closed company'],
      'company-open': ['Åpnet firma', 'Opened company'],
      'loss-accept': ['Godtok tap av data', 'Accepted loss of data'],
      'sign-in': ['Logget inn', 'Signed in'],
      'sign-in-failed': ['Mislykket innlogging', 'Failed to sign in'],
      'sign-out': ['Logget ut', 'Signed out'],
      'password-link': ['Valgte nytt passord med lenke', 'Chose a new password by link'],
      'first-use': ['Første bruk den dagen', 'First use that day'],
    },
    signInMethods: {
      password: ['Med passord', 'With password'],
      code: ['Med passord og kode', 'With password and code'],
      'recovery-code': ['Med passord og gjenopprettingskode', 'With password and recovery code'],
      device: ['Med passord, på en klarert enhet', 'With password, on a trusted device'],
      provider: ['Med innloggingstjenesten', 'With the identity provider'],
      passkey: ['Med passnøkkel', 'With a passkey'],
      company: ['Fra et annet firma', 'From another company'],
    },
    signInErrors: {
      password: ['feil passord', 'wrong password'],
      code: ['feil kode', 'wrong code'],
      'shut-out': ['uten tilgang', 'without access'],
    },
    subjects: {
      import: (id: string) => [`Import ${id}`, `Import ${id}`],
      lines: nameLines,
      retrieval: (id: string, lines: number) => [
        `Uthenting ${id} (${pluralize(lines, 'linje', 'linjer')})`,
        `Retrieval ${id} (${pluralize(lines, 'line', 'lines')})`,
      ],
      claim: (id: string) => [`Reservasjon ${id}`, `Claim ${id}`],
      key: (id: string) => [`Nøkkel ${id}`, `Key ${id}`],
      password: (id: string) => [`Passord ${id}`, `Password ${id}`],
      user: frameTexts.actors.user,
      company: (id: number) => [`Firma ${id}`, `Company ${id}`],
      credential: (id: string) => [`Tilgang ${id}`, `Credential ${id}`],
      failed: (id: number, why: string) => [`Bruker ${id}: ${why}`, `User ${id}: ${why}`],
      invitation: (id: number) => [`Invitasjon ${id}`, `Invitation ${id}`],
      webhook: (id: number) => [`Webhook ${id}`, `Webhook ${id}`],
      delivery: (id: number) => [`Leveranse ${id}`, `Delivery ${id}`],
      claimed: (id: string, ids: string) => {
        const [nb, en] = nameLines(ids)
        return [`Reservasjon ${id}: ${nb.toLowerCase()}`, `Claim ${id}: ${en.toLowerCase()}`]
      },
    },
  },
})

export type AuditTexts = Translation<typeof auditText>
