// Texts of the export in both languages; loaded with its screens.
import { frameTexts } from './frame.ts'
import { pluralize } from './plural.ts'
import { defineSection } from './translation.ts'

export const exportText = defineSection({
  export: {
    ...frameTexts.export,
    destination: ['Mottaker', 'Receiver'],
    laneTexts: {
      ready: ['venter på å bli hentet', 'waiting to be fetched'],
      claimed: ['en mottaker behandler dem', 'a receiver is processing them'],
      failed: ['mottakeren kunne ikke bokføre dem', 'the receiver could not book them'],
      exported: ['bokført siste 30 dager', 'booked in the last 30 days'],
    },
    since: frameTexts.today.readySince,
    nothingText: [
      'Godkjente linjer står her til mottakeren har hentet dem og meldt dem bokført.',
      'Approved lines are listed here until the receiver has fetched them and reported them as booked.',
    ],
    retrievals: ['Hentet', 'Fetched'],
    noRetrievals: ['Ingen har hentet noe ennå', 'Nobody has fetched anything yet'],
    reports: ['Meldt tilbake', 'Reported back'],
    noReports: ['Ingen har meldt noe ennå', 'Nobody has reported anything yet'],
    allWaiting: ['hele køen', 'the whole queue'],
    suspended: (moment: string) => [
      `Eksporten har vært stanset siden ${moment}`,
      `Exports have been suspended since ${moment}`,
    ],
    suspendedText: [
      'En sikkerhetskopi er lagt tilbake, eller databasen har mistet de siste endringene, og serveren vet ikke hva mottakerne har fått siden. Ingenting leveres ut; det som meldes bokført, tas imot.',
      'A backup was restored, or the database has lost the last changes, and the server does not know what the receivers have fetched since. Nothing can be fetched; reports of booked lines are accepted.',
    ],
    suspendedRelease: [
      'Den som drifter serveren, avstemmer med mottakerne og starter eksporten igjen med',
      'The operator reconciles with the receivers, and resumes exports with',
    ],
    claims: ['Reservasjoner', 'Claims'],
    claimsOfCompany: ['Antallet gjelder hele firmaet.', 'The count is that of the whole company.'],
    claim: ['Reservasjon', 'Claim'],
    until: ['Til', 'Until'],
    break: ['Bryt reservasjonen', 'Break the claim'],
    claimBroken: [
      'Reservasjonen er brutt, og linjene er frie igjen.',
      'The claim is broken, and its lines can be claimed again.',
    ],
    parked: ['Parkert', 'Parked'],
    parkedOf: (count: string) => [`${count} parkert`, `${count} parked`],
    emptyLists: {
      waiting: ['Ingenting venter på eksport', 'Nothing is waiting for export'],
      failed: ['Ingenting er avvist av mottaker', 'Nothing was rejected by a receiver'],
      finished: ['Ingenting er eksportert ennå', 'Nothing is exported yet'],
    },
    releaseText: ['Meldinger fra mottakeren blir fortsatt tatt imot.', 'Reports from the receiver are still accepted.'],
    notExported: ['Ikke eksportert', 'Not exported'],
    failedTimes: (times: number, reason: string) => [
      `Avvist av mottaker ${pluralize(times, 'gang', 'ganger')}${reason === '' ? '' : `: ${reason}`}`,
      `Rejected by receiver ${pluralize(times, 'time', 'times')}${reason === '' ? '' : `: ${reason}`}`,
    ],
    ticked: (count: string) => [`${count} merket`, `${count} selected`],
    actionTitle: {
      undone: (count: string) => [`Angre eksport av ${count}`, `Undo export of ${count}`],
      closed: (count: string) => [`Håndtert utenfor: ${count}`, `Handled elsewhere: ${count}`],
      retried: (count: string) => [`Prøv ${count} igjen`, `Try ${count} again`],
      sent_back: (count: string) => [`Send ${count} til godkjenning`, `Send ${count} back to approval`],
    },
    actionConfirm: {
      undone: (count: string) => [`Angre ${count}`, `Undo ${count}`],
      closed: (count: string) => [`Ta ${count} av listen`, `Remove ${count} from the list`],
      retried: (count: string) => [`Prøv ${count} igjen`, `Try ${count} again`],
      sent_back: (count: string) => [`Send ${count} tilbake`, `Send ${count} back`],
    },
    actionDone: {
      undone: (count: string) => [
        `${count} venter på å bli hentet igjen, med ny eksportnøkkel`,
        `${count} waiting to be fetched again, with a new export key`,
      ],
      closed: (count: string) => [`${count} er tatt av listen`, `${count} removed from the list`],
      retried: (count: string) => [
        `${count} er klare for mottakerens jobb igjen`,
        `${count} are ready for the receiver’s job again`,
      ],
      sent_back: (count: string) => [`${count} venter på godkjenning igjen`, `${count} waiting for approval again`],
    },
    removeAtReceiver: [
      'Dette må fjernes hos mottakeren, ellers står det der to ganger:',
      'Remove these at the receiver, or they will be there twice:',
    ],
    locked: (count: string) => [
      `${pluralize(count, 'linje hører', 'linjer hører')} til en periode som mottakeren har stengt.`,
      `${pluralize(count, 'line belongs', 'lines belong')} to a period that the receiver has closed.`,
    ],
    reasonCode: ['Type begrunnelse', 'Kind of reason'],
    reasonCodes: {
      wrong_destination: ['Feil mottaker', 'Wrong receiver'],
      target_restored: ['Mottakeren er gjenopprettet', 'The receiver was restored'],
      test: ['Prøve', 'Test'],
      other: ['Annet', 'Other'],
    },
    reasonHint: [
      'Begrunnelsen lagres i historikken og kan ikke endres senere.',
      'The reason is stored in the history and cannot be changed later.',
    ],
    notPossible: {
      notFound: ['finnes ikke for denne mottakeren', 'does not exist for this receiver'],
      corrected: [
        'er rettet av en senere linje, som må angres først',
        'is corrected by a later line, which must be undone first',
      ],
      states: {
        ready: ['venter allerede på å bli hentet', 'is already waiting to be fetched'],
        exported: ['er allerede eksportert', 'is already exported'],
        closed: ['er allerede håndtert utenfor', 'is already handled elsewhere'],
        withdrawn: ['godkjenningen er trukket', 'its approval was withdrawn'],
      },
    },
    columns: { what: ['Hva', 'What'], range: ['Linjenumre', 'Line numbers'] },
    actions: {
      acknowledged: ['Bokført', 'Booked'],
      failed: frameTexts.export.stages.failed,
      claimed: ['Reservert', 'Claimed'],
      released: ['Frigitt', 'Released'],
      closed: ['Håndtert utenfor', 'Handled elsewhere'],
      undone: ['Angret', 'Undone'],
      alert: ['Varsel', 'Alert'],
      retried: ['Prøvd igjen', 'Tried again'],
      sent_back: ['Sendt til godkjenning', 'Sent back to approval'],
    },
  },
})
