// Errors of the server: failures, missing configuration and overload.
import { defineErrors } from '../messages.ts'

/** Of status 503 where there is no other. */
export const serverErrors = defineErrors(503, {
  InternalError: [
    'Intern feil. Oppgi forespørselens id til driftsansvarlig.',
    'Internal error. Report the request id to the operator.',
    500,
  ],
  MailNotConfigured: [
    'E-post er ikke satt opp på denne serveren. Be driftsansvarlig om en lenke.',
    'E-mail is not configured on this server. Ask the operator for a link.',
    501,
  ],
  DatabaseUnavailable: [
    'Databasen kan ikke nås. Prøv igjen om et øyeblikk.',
    'The database cannot be reached. Try again in a moment.',
  ],
  DatabaseBusy: ['Databasen er opptatt. Prøv igjen om et øyeblikk.', 'The database is busy. Try again in a moment.'],
  ExportSuspended: [
    'Eksport er stanset etter en gjenoppretting eller et tap av data. Kvitteringer tas fortsatt imot. Be driftsansvarlig frigi eksporten.',
    'Exports are suspended after a restore or a loss of data. Acknowledgements are still accepted. Ask the operator to release them.',
  ],
  StorageFull: [
    'Disken på serveren er full. Si fra til driftsansvarlig.',
    'The disk of the server is full. Tell the operator.',
  ],
  StorageError: [
    'Lagringen på serveren feilet. Si fra til driftsansvarlig.',
    'The storage of the server failed. Tell the operator.',
  ],
  ProviderUnavailable: [
    'Identitetsleverandøren kan ikke nås. Prøv igjen senere, eller logg inn med passordet ditt.',
    'The identity provider cannot be reached. Try again later, or sign in with your password.',
  ],
  Overloaded: [
    'Serveren er overbelastet. Prøv igjen om et øyeblikk.',
    'The server is overloaded. Try again in a moment.',
  ],
  ShuttingDown: ['Serveren stopper. Prøv igjen om et øyeblikk.', 'The server is shutting down. Try again in a moment.'],
  NotInitialised: [
    'Serveren er ikke satt opp ennå. Åpne oppsettslenken som den skrev ut ved oppstart.',
    'The server is not set up yet. Open the set-up link that it printed at start.',
  ],
  AppNotBuilt: [
    'Nettleserappen er ikke bygd. Kjør npm start i en klone, eller lag pakken med npm pack.',
    'The browser app is not built. Run npm start in a clone, or make the package with npm pack.',
  ],
  Timeout: [
    'Operasjonen tok for lang tid og ble avbrutt. Prøv igjen om et øyeblikk.',
    'The operation took too long and was cancelled. Try again in a moment.',
    504,
  ],
})
