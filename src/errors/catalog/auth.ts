// Errors of authentication and authorization.
import type { ErrorDefinition } from '../messages.ts'

export const authErrors = {
  AmbiguousCredentials: {
    status: 400,
    en: 'The request carries credentials of different accounts. Send only one.',
    nb: 'Forespørselen har påloggingsdata for ulike kontoer. Send bare én.',
  },
  MissingCredentials: {
    status: 401,
    en: 'Credentials are missing. Send firma and passord, or an API key in the header tb-key.',
    nb: 'Påloggingsdata mangler. Send firma og passord, eller en API-nøkkel i headeren tb-key.',
  },
  InvalidCredentials: { status: 401, en: 'The credentials are not valid.', nb: 'Påloggingsdataene er ikke gyldige.' },
  CredentialExpired: {
    status: 401,
    en: 'The credential expired on {date}. Ask an administrator for a new one.',
    nb: 'Påloggingsdataene utløp {date}. Be en administrator om nye.',
  },
  SessionExpired: {
    status: 401,
    en: 'Your session has ended. Sign in again.',
    nb: 'Økten din er avsluttet. Logg inn på nytt.',
  },
  CsrfRejected: {
    status: 403,
    en: 'The request did not come from a page of this server (missing or wrong CSRF token). Reload the page.',
    nb: 'Forespørselen kom ikke fra en side på denne serveren (CSRF-token mangler eller er feil). Last siden på nytt.',
  },
  RoleMissing: {
    status: 403,
    en: 'Your role {role} does not allow this. Ask an administrator of {company}.',
    nb: 'Rollen din, {role}, tillater ikke dette. Spør en administrator i {company}.',
  },
  ReauthenticationRequired: {
    status: 403,
    en: 'Confirm your password to continue (last confirmed more than 5 minutes ago).',
    nb: 'Bekreft passordet ditt for å fortsette (sist bekreftet for mer enn 5 minutter siden).',
  },
  SecondFactorCodeRequired: {
    status: 401,
    en: 'The password is correct. Send the code from your authenticator app as well, or a recovery code.',
    nb: 'Passordet er riktig. Send også koden fra autentiseringsappen din, eller en gjenopprettingskode.',
  },
  InvalidSecondFactorCode: {
    status: 401,
    en: 'The code is wrong or already used. Wait for the next one.',
    nb: 'Koden er feil eller alt brukt. Vent på den neste.',
  },
  SecondFactorSetupRequired: {
    status: 403,
    en: '{company} requires a second factor. Set one up under your account first.',
    nb: '{company} krever totrinnsinnlogging. Sett den opp under kontoen din først.',
  },
  InvalidPasskey: {
    status: 401,
    en: 'Unknown passkey or invalid response. Try again.',
    nb: 'Ukjent passnøkkel eller ugyldig svar. Prøv igjen.',
  },
  SingleSignOnFailed: {
    status: 401,
    en: 'Signing in through the identity provider failed. Try again from the sign-in page.',
    nb: 'Innloggingen via identitetsleverandøren mislyktes. Prøv igjen fra innloggingssiden.',
  },
  IdentityNotLinked: {
    status: 403,
    en: 'No account here is linked to your identity at the identity provider. Ask an administrator for access, or sign in with your password and link it under your account.',
    nb: 'Ingen konto her er knyttet til identiteten din hos identitetsleverandøren. Be en administrator om tilgang, eller logg inn med passordet ditt og knytt den til under kontoen din.',
  },
  ScopeMissing: {
    status: 403,
    en: 'The credential lacks the scope {scope}. Ask an administrator to add it.',
    nb: 'Påloggingsdataene mangler rettigheten {scope}. Be en administrator om å legge den til.',
  },
  IpNotAllowed: {
    status: 403,
    en: 'The credential must not be used from this IP address.',
    nb: 'Påloggingsdataene kan ikke brukes fra denne IP-adressen.',
  },
  SelfApprovalForbidden: {
    status: 403,
    en: 'Whoever registered a transaction, or was the last to change it, must not approve it. Ask another approver.',
    nb: 'Den som registrerte en transaksjon eller endret den sist, kan ikke godkjenne den. Be en annen om å godkjenne.',
  },
  QueryCredentialsNotAllowed: {
    status: 403,
    en: 'Credentials in the query string are disabled. Send them in a header: X-Firma and X-Passord, tb-key, or Authorization.',
    nb: 'Påloggingsdata i URL-en er slått av. Send dem i en header: X-Firma og X-Passord, tb-key, eller Authorization.',
  },
  InvalidSetupLink: {
    status: 403,
    en: 'The set-up link is no longer valid (each works once, for 60 minutes). Restart the server to get a new one.',
    nb: 'Oppsettslenken er ikke lenger gyldig (hver virker én gang, i 60 minutter). Start serveren på nytt for å få en ny.',
  },
  InvalidLink: {
    status: 403,
    en: 'The link is no longer valid (each works once, for a limited time). Ask for a new one.',
    nb: 'Lenken er ikke lenger gyldig (hver virker én gang, i en begrenset tid). Be om en ny.',
  },
  TlsRequired: {
    status: 403,
    en: 'Plain HTTP is accepted from this machine only. Use HTTPS.',
    nb: 'Ukryptert HTTP godtas bare fra denne maskinen. Bruk HTTPS.',
  },
  RateLimited: {
    status: 429,
    en: 'Too many requests. Try again in {seconds} s.',
    nb: 'For mange forespørsler. Prøv igjen om {seconds} s.',
  },
  TooManyFailedLogins: {
    status: 429,
    en: 'Too many failed sign-ins. Try again in {seconds} s.',
    nb: 'For mange mislykkede innlogginger. Prøv igjen om {seconds} s.',
  },
} as const satisfies Record<string, ErrorDefinition>
