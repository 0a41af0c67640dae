// How to do what people come for, in both languages; loaded with the help.
import type { Role } from '../data/session.ts'
import type { Place } from '../parts/navigation.ts'
import { useText } from './text.tsx'

interface Task {
  readonly to: Place['to']
  readonly roles: readonly Role[]
  readonly title: string
  readonly steps: readonly string[]
}

const everybody: readonly Role[] = ['viewer', 'approver', 'auditor', 'admin']

const nb: readonly Task[] = [
  {
    to: '/app/uttak',
    roles: ['registrant', 'approver', 'admin'],
    title: 'Registrere et uttak',
    steps: [
      'Velg varen, skriv antallet, og trykk Registrer. Prosjektet og datoen huskes til neste linje.',
      'Uten nett blir linjen liggende på telefonen, og sendes når nettet er tilbake.',
      'Kommer en linje tilbake som avvist, står grunnen ved den. Rett den, og send den på nytt.',
    ],
  },
  {
    to: '/app/godkjenning',
    roles: ['approver', 'admin'],
    title: 'Godkjenne',
    steps: [
      'Avvikene står øverst: uten prosjekt, uten pris, dobbelt, uvanlig mye. Åpne en linje for å se historikken.',
      'Merk det som er riktig, og trykk Godkjenn. Avvis det som er feil, med en grunn den som registrerte får se.',
      'Angre rett etterpå, eller trekk godkjenningen senere, så lenge linjen ikke er eksportert.',
    ],
  },
  {
    to: '/app/omsetning',
    roles: everybody,
    title: 'Se og rette omsetningen',
    steps: [
      'Nøkkeltallene står mot i fjor. Velg en periode, som Forrige måned, for å se den dag for dag.',
      'Under Dager retter du et tall der det står: klikk cellen, skriv, og trykk Enter.',
      'Historikken til en celle viser hvem som skrev hva, og setter tilbake et tidligere tall.',
    ],
  },
  {
    to: '/app/eksport',
    roles: everybody,
    title: 'Følge linjer ut av huset',
    steps: [
      'Klart er godkjent og venter på å bli hentet. Eksportert er meldt inntatt av mottakeren.',
      'Åpne en linje for å se hele veien fra registrert til eksportert, med hvem og når.',
      'Avstemming setter mottakerens liste ved siden av vår, og viser hva bare den ene har.',
    ],
  },
  {
    to: '/app/administrasjon',
    roles: ['admin'],
    title: 'Slippe inn folk og systemer',
    steps: [
      'Inviter en person med en rolle; en godkjenner kan få bare noen avdelinger.',
      'Gi hver integrasjon sin egen nøkkel. Den vises én gang, og kan fornyes uten opphold.',
      'Virker ikke en integrasjon, står kallet og grunnen under Avviste kall.',
    ],
  },
  {
    to: '/app/revisjon',
    roles: ['auditor', 'admin'],
    title: 'Vise hvem som gjorde hva',
    steps: [
      'Revisjonen har en post for hver handling, lenket til den forrige med en kontrollsum.',
      'Søk etter nummeret på en linje, en person eller en handling.',
    ],
  },
]

const en: readonly Task[] = [
  {
    to: '/app/uttak',
    roles: ['registrant', 'approver', 'admin'],
    title: 'Register material',
    steps: [
      'Choose the item, type the quantity, and press Register. Project and date are remembered for the next line.',
      'Without a net the line stays on the phone, and is sent when the net is back.',
      'Where a line comes back rejected, the reason stands beside it. Correct it, and send it again.',
    ],
  },
  {
    to: '/app/godkjenning',
    roles: ['approver', 'admin'],
    title: 'Approve',
    steps: [
      'Exceptions stand on top: no project, no price, twice the same, unusually much. Open a line to see its history.',
      'Tick what is right, and press Approve. Reject what is wrong, with a reason that the registrant sees.',
      'Undo right after, or withdraw the approval later, as long as the line is not exported.',
    ],
  },
  {
    to: '/app/omsetning',
    roles: everybody,
    title: 'See and correct revenue',
    steps: [
      'The key figures stand against last year. Choose a period, like Last month, to see it day by day.',
      'Under Days a figure is corrected where it stands: click the cell, type, and press Enter.',
      'The history of a cell shows who wrote what, and puts an earlier figure back.',
    ],
  },
  {
    to: '/app/eksport',
    roles: everybody,
    title: 'Follow lines out of the house',
    steps: [
      'Ready is approved and waits to be fetched. Exported was reported as taken in by the receiver.',
      'Open a line to see its whole way from registration to export, with who and when.',
      'Reconciliation puts the receiver’s list beside ours, and shows what only one of them has.',
    ],
  },
  {
    to: '/app/administrasjon',
    roles: ['admin'],
    title: 'Let people and systems in',
    steps: [
      'Invite a person with a role; an approver may be given some departments alone.',
      'Give each integration a key of its own. It is shown once, and renewed without a break.',
      'Where an integration fails, its call and the reason stand under Refused calls.',
    ],
  },
  {
    to: '/app/revisjon',
    roles: ['auditor', 'admin'],
    title: 'Show who did what',
    steps: [
      'The audit has an entry for each act, chained to the one before by a checksum.',
      'Search for the number of a line, a person, or an act.',
    ],
  },
]

/** The tasks of a role, in the order in which they are done. */
export const useGuide = (role: Role): readonly Task[] => {
  const { language } = useText()
  return { nb, en }[language].filter(({ roles }) => roles.includes(role))
}
