// Texts of lists in both languages: their columns, saved filters, states, and changes that wait for the network.
import { defineTexts } from './define-texts.ts'
import { pluralize } from './plural.ts'

export const listTexts = defineTexts({
  table: {
    view: ['Visning', 'View'],
    columns: ['Kolonner', 'Columns'],
    reset: ['Standardvisning', 'Default view'],
    sortBy: ['Sorter etter', 'Sort by'],
    more: ['Vis flere', 'Show more'],
    all: ['Vis alle', 'Show all'],
    shown: (shown: string, all: string) => [`${shown} av ${all}`, `${shown} of ${all}`],
    search: ['Søk i listen', 'Search the list'],
    matchCount: (count: number) => [pluralize(count, 'treff', 'treff'), pluralize(count, 'match', 'matches')],
    from: ['Fra', 'From'],
    to: ['Til', 'To'],
    download: ['Last ned listen som CSV', 'Download the list as CSV'],
    actions: ['Handlinger', 'Actions'],
    at: ['Når', 'When'],
    by: ['Av', 'By'],
    state: ['Status', 'Status'],
    lines: ['Linjer', 'Lines'],
    lastUsed: ['Sist brukt', 'Last used'],
    request: ['Forespørsel', 'Request'],
    hash: ['Kontrollsum', 'Checksum'],
    number: ['Nr.', 'No.'],
    since: ['Siden', 'Since'],
    next: ['Neste steg', 'Next step'],
  },
  views: {
    saved: ['Lagrede filtre', 'Saved filters'],
    save: ['Lagre dette filteret', 'Save this filter'],
    delete: (name: string) => [`Slett filteret ${name}`, `Delete the filter ${name}`],
    nameHint: [
      'Bare du ser filteret. Det er tilgjengelig på alle enhetene dine.',
      'Only you see this filter. It is available on all your devices.',
    ],
    nameMissing: ['Gi filteret et navn.', 'Give the filter a name.'],
  },
  outbox: {
    pendingCount: (count: number) => [
      `${pluralize(count, 'endring', 'endringer')} sendes når du får nett.`,
      `${pluralize(count, 'change', 'changes')} will be sent when you are online.`,
    ],
    pending: ['venter på nett', 'will be sent when online'],
    queued: [
      'Lagret på denne maskinen. Sendes når nettet er tilbake.',
      'Saved on this device. Will be sent when you are online.',
    ],
    sent: ['Sendt.', 'Sent.'],
    undecided: (count: number) => [
      `${pluralize(count, 'linje', 'linjer')} ble ikke avgjort, som regel fordi en annen hadde endret eller avgjort først:`,
      `${pluralize(count, 'line was', 'lines were')} not decided, usually because somebody else had changed or decided first:`,
    ],
    discard: ['Forkast', 'Discard'],
    decision: {
      approve: (count: number) => [
        `Godkjenning av ${pluralize(count, 'linje', 'linjer')}`,
        `Approval of ${pluralize(count, 'line', 'lines')}`,
      ],
      reject: (count: number) => [
        `Avvisning av ${pluralize(count, 'linje', 'linjer')}`,
        `Rejection of ${pluralize(count, 'line', 'lines')}`,
      ],
      withdraw: (count: number) => [
        `Trukket godkjenning av ${pluralize(count, 'linje', 'linjer')}`,
        `Withdrawn approval of ${pluralize(count, 'line', 'lines')}`,
      ],
    },
  },
  states: {
    loading: ['Henter …', 'Loading …'],
    errorTitle: ['Dette gikk ikke', 'Something went wrong'],
    errorText: [
      'Prøv igjen. Hjelper det ikke, gi denne koden til den som drifter serveren:',
      'Try again. If it still fails, give this code to the operator:',
    ],
    field: ['Feltet', 'The field'],
    offlineTitle: ['Får ikke kontakt med serveren', 'The server cannot be reached'],
    offlineText: [
      'Sjekk nettforbindelsen, og prøv igjen. Ingenting er tapt.',
      'Check your network connection, then try again. Nothing is lost.',
    ],
    noAccessTitle: ['Du har ikke tilgang hit', 'You have no access here'],
    noAccess: (role: string, needed: string, company: string) => [
      `Denne siden krever rollen ${needed}. Du har rollen ${role}. Trenger du tilgang, kan du spørre en administrator i ${company}.`,
      `This page needs the role ${needed}. Your role is ${role}. If you need access, ask an administrator of ${company}.`,
    ],
    operatorOnly: [
      'Denne siden er bare for den som drifter serveren, uansett rolle i firmaet.',
      'This page is only for the operator of the server, whatever their role in the company.',
    ],
    or: [' eller ', ' or '],
    noMatchTitle: ['Ingen treff', 'No matches'],
    noMatchText: ['Ingenting samsvarer med filteret.', 'Nothing matches the filter.'],
    clearFilter: ['Nullstill filteret', 'Clear the filter'],
  },
})
