// Errors of authentication and authorization.
import { defineErrors } from '../messages.ts'

/** Of status 403 where there is no other. */
export const authErrors = defineErrors(403, {
  AmbiguousCredentials: [
    'Forespørselen har påloggingsdata for ulike kontoer. Send bare én.',
    'The request carries credentials of different accounts. Send only one.',
    400,
  ],
  MissingCredentials: [
    'Påloggingsdata mangler. Send firma og passord, eller en API-nøkkel i headeren tb-key.',
    'Credentials are missing. Send firma and passord, or an API key in the header tb-key.',
    401,
  ],
  InvalidCredentials: ['Påloggingsdataene er ikke gyldige.', 'The credentials are not valid.', 401],
  CredentialExpired: [
    'Påloggingsdataene utløp {date}. Be en administrator om nye.',
    'The credential expired on {date}. Ask an administrator for a new one.',
    401,
  ],
  SessionExpired: ['Økten din er avsluttet. Logg inn på nytt.', 'Your session has ended. Sign in again.', 401],
  CsrfRejected: [
    'Forespørselen kom ikke fra en side på denne serveren (CSRF-token mangler eller er feil). Last siden på nytt.',
    'The request did not come from a page of this server (missing or wrong CSRF token). Reload the page.',
  ],
  RoleMissing: [
    'Rollen din, {role}, tillater ikke dette. Spør en administrator i {company}.',
    'Your role {role} does not allow this. Ask an administrator of {company}.',
  ],
  ReauthenticationRequired: [
    'Bekreft passordet ditt for å fortsette (sist bekreftet for mer enn 5 minutter siden).',
    'Confirm your password to continue (last confirmed more than 5 minutes ago).',
  ],
  SecondFactorCodeRequired: [
    'Passordet er riktig. Send også koden fra autentiseringsappen din, eller en gjenopprettingskode.',
    'The password is correct. Send the code from your authenticator app as well, or a recovery code.',
    401,
  ],
  InvalidSecondFactorCode: [
    'Koden er feil eller allerede brukt. Vent på den neste.',
    'The code is wrong or already used. Wait for the next one.',
    401,
  ],
  SecondFactorSetupRequired: [
    '{company} krever totrinnsinnlogging. Sett den opp under kontoen din først.',
    '{company} requires a second factor. Set one up under your account first.',
  ],
  InvalidPasskey: [
    'Ukjent passnøkkel eller ugyldig svar. Prøv igjen.',
    'Unknown passkey or invalid response. Try again.',
    401,
  ],
  SingleSignOnFailed: [
    'Innloggingen via identitetsleverandøren mislyktes. Prøv igjen fra innloggingssiden.',
    'Signing in through the identity provider failed. Try again from the sign-in page.',
    401,
  ],
  IdentityNotLinked: [
    'Ingen konto her er knyttet til identiteten din hos identitetsleverandøren. Be en administrator om tilgang, eller logg inn med passordet ditt og knytt den til under kontoen din.',
    'No account here is linked to your identity at the identity provider. Ask an administrator for access, or sign in with your password and link it under your account.',
  ],
  ScopeMissing: [
    'Påloggingsdataene mangler rettigheten {scope}. Be en administrator om å legge den til.',
    'The credential lacks the scope {scope}. Ask an administrator to add it.',
  ],
  IpNotAllowed: [
    'Påloggingsdataene kan ikke brukes fra denne IP-adressen.',
    'The credential must not be used from this IP address.',
  ],
  SelfApprovalForbidden: [
    'Den som registrerte en transaksjon eller endret den sist, kan ikke godkjenne den. Be en annen om å godkjenne.',
    'Whoever registered a transaction, or was the last to change it, must not approve it. Ask another approver.',
  ],
  QueryCredentialsNotAllowed: [
    'Påloggingsdata i URL-en er slått av. Send dem i en header: X-Firma og X-Passord, tb-key, eller Authorization.',
    'Credentials in the query string are disabled. Send them in a header: X-Firma and X-Passord, tb-key, or Authorization.',
  ],
  InvalidSetupLink: [
    'Oppsettslenken er ikke lenger gyldig (hver virker én gang, i 60 minutter). Start serveren på nytt for å få en ny.',
    'The set-up link is no longer valid (each works once, for 60 minutes). Restart the server to get a new one.',
  ],
  InvalidLink: [
    'Lenken er ikke lenger gyldig (hver virker én gang, i en begrenset tid). Be om en ny.',
    'The link is no longer valid (each works once, for a limited time). Ask for a new one.',
  ],
  TlsRequired: [
    'Ukryptert HTTP godtas ikke fra denne adressen. Bruk HTTPS.',
    'Plain HTTP is not accepted from this address. Use HTTPS.',
  ],
  RateLimited: [
    'For mange forespørsler. Prøv igjen om {seconds} s.',
    'Too many requests. Try again in {seconds} s.',
    429,
  ],
  TooManyFailedLogins: [
    'For mange mislykkede innlogginger. Prøv igjen om {seconds} s.',
    'Too many failed sign-ins. Try again in {seconds} s.',
    429,
  ],
})
