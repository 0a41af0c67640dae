// Errors of the server: failures, missing configuration and overload.
import type { ErrorDefinition } from '../messages.ts'

export const serverErrors = {
  InternalError: {
    status: 500,
    en: 'Internal error. Report the request id to the operator.',
    nb: 'Intern feil. Oppgi forespørselens id til driftsansvarlig.',
  },
  MailNotConfigured: {
    status: 501,
    en: 'E-mail is not configured on this server. Ask the operator for a link.',
    nb: 'E-post er ikke satt opp på denne serveren. Be driftsansvarlig om en lenke.',
  },
  DatabaseUnavailable: {
    status: 503,
    en: 'The database cannot be reached. Try again in a moment.',
    nb: 'Databasen kan ikke nås. Prøv igjen om et øyeblikk.',
  },
  DatabaseBusy: {
    status: 503,
    en: 'The database is busy. Try again in a moment.',
    nb: 'Databasen er opptatt. Prøv igjen om et øyeblikk.',
  },
  ExportSuspended: {
    status: 503,
    en: 'Exports are suspended after a restore. Acknowledgements are still accepted. Ask the operator to release them.',
    nb: 'Eksport er stanset etter en gjenoppretting. Kvitteringer tas fortsatt imot. Be driftsansvarlig frigi eksporten.',
  },
  StorageFull: {
    status: 503,
    en: 'The disk of the server is full. Tell the operator.',
    nb: 'Disken på serveren er full. Si fra til driftsansvarlig.',
  },
  StorageError: {
    status: 503,
    en: 'The storage of the server failed. Tell the operator.',
    nb: 'Lagringen på serveren feilet. Si fra til driftsansvarlig.',
  },
  ProviderUnavailable: {
    status: 503,
    en: 'The identity provider cannot be reached. Try again later, or sign in with your password.',
    nb: 'Identitetsleverandøren kan ikke nås. Prøv igjen senere, eller logg inn med passordet ditt.',
  },
  Overloaded: {
    status: 503,
    en: 'The server is overloaded. Try again in a moment.',
    nb: 'Serveren er overbelastet. Prøv igjen om et øyeblikk.',
  },
  ShuttingDown: {
    status: 503,
    en: 'The server is shutting down. Try again in a moment.',
    nb: 'Serveren stopper. Prøv igjen om et øyeblikk.',
  },
  NotInitialised: {
    status: 503,
    en: 'The server is not set up yet. Open the set-up link that it printed at start.',
    nb: 'Serveren er ikke satt opp ennå. Åpne oppsettslenken som den skrev ut ved oppstart.',
  },
  AppNotBuilt: {
    status: 503,
    en: 'The browser app is not built. Run npm start in a clone, or make the package with npm pack.',
    nb: 'Nettleserappen er ikke bygd. Kjør npm start i en klone, eller lag pakken med npm pack.',
  },
  Timeout: {
    status: 504,
    en: 'The operation took too long and was cancelled. Try again in a moment.',
    nb: 'Operasjonen tok for lang tid og ble avbrutt. Prøv igjen om et øyeblikk.',
  },
} as const satisfies Record<string, ErrorDefinition>
