// Errors of writes that conflict with stored data or with another request.
import type { ErrorDefinition } from '../messages.ts'

export const conflictErrors = {
  // records
  AlreadyExists: { status: 409, en: '{what} already exists.', nb: '{what} finnes allerede.' },
  InUse: {
    status: 409,
    en: '{what} cannot be deleted: {by} refers to it.',
    nb: '{what} kan ikke slettes: {by} viser til den.',
  },
  Conflict: {
    status: 409,
    en: 'Rows that conflict with stored data: {count}. Nothing was stored. See details.',
    nb: 'Rader i konflikt med lagrede data: {count}. Ingenting ble lagret. Se details.',
  },
  ReferenceReused: {
    status: 409,
    en: 'Referanse "{reference}" is already used with the amount {amount}. Send a new Referanse for a new amount.',
    nb: 'Referanse «{reference}» er alt brukt med beløpet {amount}. Send en ny Referanse for et nytt beløp.',
  },
  ReferenceNotFound: { status: 422, en: '{field} "{value}" does not exist.', nb: '{field} «{value}» finnes ikke.' },
  NoItemsProcessed: {
    status: 422,
    en: 'None of the rows could be stored. See details.',
    nb: 'Ingen av radene kunne lagres. Se details.',
  },
  // concurrent changes
  PreconditionFailed: {
    status: 412,
    en: 'The record does not match {header}. Read it again.',
    nb: 'Posten stemmer ikke med {header}. Les den på nytt.',
  },
  ConcurrentModification: {
    status: 412,
    en: '{what} was changed by {actor} after you read it. Nothing was stored. Read it again.',
    nb: '{what} er endret av {actor} etter at du leste den. Ingenting ble lagret. Les på nytt.',
  },
  IdempotencyInProgress: {
    status: 409,
    en: 'A request with this Idempotency-Key is still running. Send it again in a moment.',
    nb: 'En forespørsel med denne Idempotency-Key pågår. Send den på nytt om et øyeblikk.',
  },
  IdempotencyKeyReused: {
    status: 422,
    en: 'This Idempotency-Key was already used for another request. Use a new key.',
    nb: 'Denne Idempotency-Key er alt brukt for en annen forespørsel. Bruk en ny nøkkel.',
  },
  DependencyFailed: { status: 424, en: 'Not executed: {what} failed.', nb: 'Ikke utført: {what} feilet.' },
  // material transactions and their export
  StateConflict: {
    status: 409,
    en: 'Transaction {id} is {state}{by}, which does not allow this.',
    nb: 'Transaksjon {id} er {state}{by}, og da er dette ikke mulig.',
  },
  SourceKeyTaken: {
    status: 409,
    en: 'Transaction {id} already has Kilde "{source}" and EksternId "{externalId}".',
    nb: 'Transaksjon {id} har alt Kilde «{source}» og EksternId «{externalId}».',
  },
  LineClaimed: {
    status: 409,
    en: 'Transaction {id} is claimed by {actor} until {at} for export. Try again when the claim is closed.',
    nb: 'Transaksjon {id} er reservert av {actor} til {at} for eksport. Prøv igjen når reservasjonen er avsluttet.',
  },
  ClaimAlreadyOpen: {
    status: 409,
    en: 'Claim {id} of {actor} is open until {at}. Report or release it, or wait.',
    nb: 'Reservasjon {id} av {actor} er åpen til {at}. Kvitter for den, frigi den, eller vent.',
  },
  ClaimClosed: {
    status: 409,
    en: 'Claim {id} is closed ({state}). Results are still accepted.',
    nb: 'Reservasjon {id} er avsluttet ({state}). Resultater tas fortsatt imot.',
  },
  AtomicBatchFailed: {
    status: 409,
    en: 'Failed elements: {count}. Nothing was changed because atomic=true. See resultater.',
    nb: 'Elementer som feilet: {count}. Ingenting ble endret fordi atomic=true. Se resultater.',
  },
  NothingMarked: {
    status: 422,
    en: 'None of the ids could be marked as exported. See resultater.',
    nb: 'Ingen av id-ene kunne merkes som eksportert. Se resultater.',
  },
  // administration
  ImportNotUndoable: {
    status: 409,
    en: 'The import cannot be undone: it is already undone, or older than 30 days.',
    nb: 'Importen kan ikke angres: den er alt angret, eller eldre enn 30 dager.',
  },
  TooManyActiveKeys: {
    status: 409,
    en: '{name} already has two active credentials of this kind. Revoke one first.',
    nb: '{name} har alt to aktive nøkler eller passord. Trekk tilbake ett av dem først.',
  },
  BackupRunning: {
    status: 409,
    en: 'A backup is already running. Try again when it has finished.',
    nb: 'En sikkerhetskopiering pågår allerede. Prøv igjen når den er ferdig.',
  },
  SecondFactorAlreadyEnabled: {
    status: 409,
    en: 'A second factor is already enabled. Turn it off before you set up another.',
    nb: 'Totrinnsinnlogging er alt slått på. Slå den av før du setter opp en ny.',
  },
  SecondFactorUndecryptable: {
    status: 409,
    en: 'The second factor of this account was encrypted with another master key, so codes cannot be checked. Ask the operator to turn it off: dagsverk user reset-mfa.',
    nb: 'Totrinnsinnloggingen for kontoen er kryptert med en annen hovednøkkel, så koder kan ikke kontrolleres. Be driftsansvarlig slå den av: dagsverk user reset-mfa.',
  },
  IdentityAlreadyLinked: {
    status: 409,
    en: 'This identity is already linked to another account. Unlink it there first.',
    nb: 'Denne identiteten er alt knyttet til en annen konto. Fjern knytningen der først.',
  },
  LastAdministrator: {
    status: 409,
    en: '{company} must keep at least one administrator. Make another user an administrator first.',
    nb: '{company} må ha minst én administrator. Gjør en annen bruker til administrator først.',
  },
  CannotCloseCurrentCompany: {
    status: 409,
    en: 'You are signed in to {company}. Switch to another company before you close it.',
    nb: 'Du er logget inn i {company}. Bytt til et annet firma før du stenger det.',
  },
  SetupAlreadyDone: {
    status: 409,
    en: 'This server is already set up. Sign in instead.',
    nb: 'Denne serveren er alt satt opp. Logg inn i stedet.',
  },
} as const satisfies Record<string, ErrorDefinition>
