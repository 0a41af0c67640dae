// Errors of writes that conflict with stored data or with another request.
import { defineErrors } from '../messages.ts'

/** Of status 409 where there is no other. */
export const conflictErrors = defineErrors(409, {
  // records
  AlreadyExists: ['{what} finnes allerede.', '{what} already exists.'],
  InUse: ['{what} kan ikke slettes: {by} viser til den.', '{what} cannot be deleted: {by} refers to it.'],
  Conflict: [
    'Rader i konflikt med lagrede data: {count}. Ingenting ble lagret. Se details.',
    'Rows that conflict with stored data: {count}. Nothing was stored. See details.',
  ],
  ReferenceReused: [
    'Referanse «{reference}» er allerede brukt med beløpet {amount}. Send en ny Referanse for et nytt beløp.',
    'Referanse "{reference}" is already used with the amount {amount}. Send a new Referanse for a new amount.',
  ],
  ReferenceNotFound: ['{field} «{value}» finnes ikke.', '{field} "{value}" does not exist.', 422],
  NoItemsProcessed: [
    'Ingen av elementene kunne behandles. Se details eller resultater.',
    'None of the elements could be processed. See details or resultater.',
    422,
  ],
  // concurrent changes
  PreconditionFailed: [
    'Posten stemmer ikke med {header}. Les den på nytt.',
    'The record does not match {header}. Read it again.',
    412,
  ],
  ConcurrentModification: [
    '{what} er endret av {actor} etter at du leste den. Ingenting ble lagret. Les på nytt.',
    '{what} was changed by {actor} after you read it. Nothing was stored. Read it again.',
    412,
  ],
  IdempotencyInProgress: [
    'En forespørsel med denne Idempotency-Key pågår. Send den på nytt om et øyeblikk.',
    'A request with this Idempotency-Key is still running. Send it again in a moment.',
  ],
  IdempotencyKeyReused: [
    'Denne Idempotency-Key er allerede brukt for en annen forespørsel. Bruk en ny nøkkel.',
    'This Idempotency-Key was already used for another request. Use a new key.',
    422,
  ],
  DependencyFailed: ['Ikke utført: {what} feilet.', 'Not executed: {what} failed.', 424],
  // material transactions and their export
  StateConflict: [
    'Transaksjon {id} er {state}{by}, og da er dette ikke mulig.',
    'Transaction {id} is {state}{by}, which does not allow this.',
  ],
  SourceKeyTaken: [
    'Transaksjon {id} har allerede Kilde «{source}» og EksternId «{externalId}».',
    'Transaction {id} already has Kilde "{source}" and EksternId "{externalId}".',
  ],
  LineClaimed: [
    'Transaksjon {id} er reservert av {actor} til {at} for eksport. Prøv igjen når reservasjonen er avsluttet.',
    'Transaction {id} is claimed by {actor} until {at} for export. Try again when the claim is closed.',
  ],
  ClaimAlreadyOpen: [
    'Reservasjon {id} av {actor} er åpen til {at}. Kvitter for den, frigi den, eller vent.',
    'Claim {id} of {actor} is open until {at}. Report or release it, or wait.',
  ],
  ClaimClosed: [
    'Reservasjon {id} er avsluttet ({state}). Resultater tas fortsatt imot.',
    'Claim {id} is closed ({state}). Results are still accepted.',
  ],
  AtomicBatchFailed: [
    'Elementer som feilet: {count}. Ingenting ble endret fordi atomic=true. Se resultater.',
    'Failed elements: {count}. Nothing was changed because atomic=true. See resultater.',
  ],
  NothingMarked: [
    'Ingen av id-ene kunne merkes som eksportert. Se resultater.',
    'None of the ids could be marked as exported. See resultater.',
    422,
  ],
  // administration
  ImportNotUndoable: [
    'Importen kan ikke angres: den er allerede angret, eller eldre enn 30 dager.',
    'The import cannot be undone: it is already undone, or older than 30 days.',
  ],
  TooManyActiveKeys: [
    '{name} har allerede to aktive nøkler eller passord. Slett ett av dem først.',
    '{name} already has two active credentials of this kind. Revoke one first.',
  ],
  BackupRunning: [
    'En sikkerhetskopiering pågår allerede. Prøv igjen når den er ferdig.',
    'A backup is already running. Try again when it has finished.',
  ],
  SecondFactorAlreadyEnabled: [
    'Totrinnsinnlogging er allerede slått på. Slå den av før du setter opp en ny.',
    'A second factor is already enabled. Turn it off before you set up another.',
  ],
  SecondFactorUndecryptable: [
    'Totrinnsinnloggingen for kontoen er kryptert med en annen hovednøkkel, så koder kan ikke kontrolleres. Be driftsansvarlig slå den av: dagsverk user reset-mfa.',
    'The second factor of this account was encrypted with another master key, so codes cannot be checked. Ask the operator to turn it off: dagsverk user reset-mfa.',
  ],
  IdentityAlreadyLinked: [
    'Denne identiteten er allerede knyttet til en annen konto. Fjern knytningen der først.',
    'This identity is already linked to another account. Unlink it there first.',
  ],
  LastAdministrator: [
    '{company} må ha minst én administrator. Gjør en annen bruker til administrator først.',
    '{company} must keep at least one administrator. Make another user an administrator first.',
  ],
  CannotCloseCurrentCompany: [
    'Du er logget inn i {company}. Bytt til et annet firma før du stenger det.',
    'You are signed in to {company}. Switch to another company before you close it.',
  ],
  SetupAlreadyDone: [
    'Denne serveren er allerede satt opp. Logg inn i stedet.',
    'This server is already set up. Sign in instead.',
  ],
})
