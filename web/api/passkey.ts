// Passkeys (WebAuthn): the browser's dialogs, in the encoding that the server expects.
import { decodeBase64url, encodeBase64url } from './base64url.ts'
import { post } from './client.ts'

/** Browsers support WebAuthn in secure contexts only. */
export const supportsPasskeys = 'PublicKeyCredential' in window

/** False when the user closes the dialog. */
export async function signInWithPasskey(): Promise<boolean> {
  const { challenge, site } = await post('passkeyAsk', {})
  const used = await showBrowserDialog(() =>
    navigator.credentials.get({
      publicKey: { challenge: decodeBase64url(challenge), rpId: site, userVerification: 'required' },
    }),
  )
  if (!(used?.response instanceof AuthenticatorAssertionResponse)) return false
  const { clientDataJSON, authenticatorData, signature } = used.response
  await post('passkey', {
    id: used.id,
    clientData: encodeBase64url(clientDataJSON),
    authenticatorData: encodeBase64url(authenticatorData),
    signature: encodeBase64url(signature),
  })
  return true
}

/** The fields of a new passkey; null when the user closes the dialog. */
export async function createPasskey(): Promise<Readonly<Record<string, string>> | null> {
  const challengeReply = await post('accountPasskeyAsk', {})
  const { challenge, site, user, name, known } = challengeReply
  const made = await showBrowserDialog(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: decodeBase64url(challenge),
        rp: { id: site, name: 'Dagsverk' },
        user: { id: decodeBase64url(user), name, displayName: name },
        pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: known.map((id) => ({ type: 'public-key', id: decodeBase64url(id) })),
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
    publicKey: encodeBase64url(publicKey),
    clientData: encodeBase64url(made.response.clientDataJSON),
    authenticatorData: encodeBase64url(made.response.getAuthenticatorData()),
  }
}

/** The message of a failed attempt; that of the browser is in English. */
export function toPasskeyProblem(
  error: Error | null,
  { known, failed }: { readonly known: string; readonly failed: string },
): string | null {
  if (!(error instanceof DOMException)) return error?.message ?? null
  return error.name === 'InvalidStateError' ? known : failed
}

async function showBrowserDialog(open: () => Promise<Credential | null>): Promise<PublicKeyCredential | null> {
  try {
    const credential = await open()
    return credential instanceof PublicKeyCredential ? credential : null
  } catch (error) {
    const isClosed = error instanceof DOMException && error.name === 'NotAllowedError'
    if (isClosed) return null
    throw error
  }
}
