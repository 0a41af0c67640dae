// Passkeys (WebAuthn): the browser's dialogs, in the encoding that the server expects.
import { act } from './client.ts'

/** Browsers support WebAuthn in secure contexts only. */
export const knowsPasskeys = 'PublicKeyCredential' in window

interface Told {
  readonly challenge: string
  readonly site: string
}

interface ToldMaker extends Told {
  readonly user: string
  readonly name: string
  /** Existing credential ids, so that no device creates a second one. */
  readonly known: readonly string[]
}

/** False when the user closes the dialog. */
export async function signInWithPasskey(): Promise<boolean> {
  const { challenge, site } = await act<Told>('POST', '/app/okt/passnokkel/ny', {})
  const used = await dialog(() =>
    navigator.credentials.get({
      publicKey: { challenge: bytesOf(challenge), rpId: site, userVerification: 'required' },
    }),
  )
  if (!(used?.response instanceof AuthenticatorAssertionResponse)) return false
  const { clientDataJSON, authenticatorData, signature } = used.response
  await act('POST', '/app/okt/passnokkel', {
    id: used.id,
    clientData: textOf(clientDataJSON),
    authenticatorData: textOf(authenticatorData),
    signature: textOf(signature),
  })
  return true
}

/** The fields of a new passkey; null when the user closes the dialog. */
export async function makePasskey(): Promise<Readonly<Record<string, string>> | null> {
  const told = await act<ToldMaker>('POST', '/app/data/konto/passnokler/ny', {})
  const { challenge, site, user, name, known } = told
  const made = await dialog(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: bytesOf(challenge),
        rp: { id: site, name: 'Dagsverk' },
        user: { id: bytesOf(user), name, displayName: name },
        pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: known.map((id) => ({ type: 'public-key', id: bytesOf(id) })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        attestation: 'none',
      },
    }),
  )
  if (!(made?.response instanceof AuthenticatorAttestationResponse)) return null
  const publicKey = made.response.getPublicKey()
  if (publicKey === null) return null
  return {
    id: made.id,
    publicKey: textOf(publicKey),
    clientData: textOf(made.response.clientDataJSON),
    authenticatorData: textOf(made.response.getAuthenticatorData()),
  }
}

async function dialog(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential | null> {
  try {
    const credential = await ask()
    return credential instanceof PublicKeyCredential ? credential : null
  } catch (error) {
    const isClosed = error instanceof DOMException && error.name === 'NotAllowedError'
    if (isClosed) return null
    throw error
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  )
}

function textOf(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
