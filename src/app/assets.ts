// Static files of the built app, with their precompressed variants.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { appPaths } from './contract/endpoints.ts'
import type { Reply, Request } from '../http/request.ts'
import { message } from '../errors/messages.ts'
import { notFoundError } from '../errors/api-error.ts'

export interface Assets {
  /** The page with a `%nonce%` placeholder; null when the app is not built. */
  readonly page: string | null
  /** The page of the API reference. */
  readonly reference: string | null
  readonly getFile: (request: Request) => Promise<Reply>
  /** Web app manifest and service worker: fixed URLs, so caches must revalidate them. */
  readonly manifest: () => Reply
  readonly serviceWorker: () => Reply
}

export function isAppBuilt(folder: string): boolean {
  return existsSync(join(folder, 'index.html'))
}

/** Reads the pages once, and other files when they are requested: few are, and browsers keep them. */
export function readAssets(folder: string): Assets {
  const at = join(folder, 'assets')
  const names = new Set(existsSync(at) ? readdirSync(at) : [])
  const textAt = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : null)
  return {
    page: textAt('index.html'),
    reference: textAt('reference.html'),
    getFile: (request) => fileReply(request, at, names),
    manifest: revalidatedFile(join(folder, 'manifest.json'), { 'Content-Type': 'application/manifest+json' }),
    serviceWorker: revalidatedFile(join(folder, 'sw.js'), {
      'Content-Type': 'text/javascript; charset=utf-8',
      // The policy of the worker itself.
      'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
    }),
  }
}

function revalidatedFile(path: string, headers: Readonly<Record<string, string>>) {
  const body = existsSync(path) ? readFileSync(path) : null
  return (): Reply => {
    if (body === null) throw notFoundError(message('thisUrl'))
    return { status: 200, headers: { 'Cache-Control': 'no-cache', ...headers }, body }
  }
}

async function fileReply(request: Request, folder: string, names: ReadonlySet<string>): Promise<Reply> {
  const name = request.path.slice(appPaths.assets.indexOf(':'))
  const type = mediaTypes[extname(name)]
  if (!names.has(name) || type === undefined) throw notFoundError(message('thisUrl'))
  const accepted = (request.header('accept-encoding') ?? '').split(',').map((one) => one.trim())
  const encoding = encodings.find(({ token, ending }) => accepted.includes(token) && names.has(name + ending))
  const path = join(folder, name + (encoding?.ending ?? ''))
  return {
    status: 200,
    headers: {
      'Content-Type': type,
      // The name contains a hash of the content, so the file never changes.
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(encoding === undefined ? {} : { 'Content-Encoding': encoding.token }),
    },
    body: request.method === 'HEAD' ? null : await readFile(path).catch(toApiError),
  }
}

/** An upgrade replaces the files of a running server. */
function toApiError(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? notFoundError(message('thisUrl')) : error
}

const encodings = [
  { token: 'br', ending: '.br' },
  { token: 'gzip', ending: '.gz' },
] as const

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
