// Static files of the built app, with their precompressed variants.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
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
  const contents = new Map<string, Promise<Buffer>>()
  const textAt = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : null)
  return {
    page: textAt('index.html'),
    reference: textAt('reference.html'),
    getFile: (request) => fileReply(request, at, names, contents),
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

async function fileReply(
  request: Request,
  folder: string,
  names: ReadonlySet<string>,
  contents: Map<string, Promise<Buffer>>,
): Promise<Reply> {
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
    body: request.method === 'HEAD' ? null : await contentOf(path, contents).catch(toApiError),
  }
}

/** One buffer for all clients, who may be many, slow, and unknown; the largest file has 4 MB. */
async function contentOf(path: string, contents: Map<string, Promise<Buffer>>): Promise<Buffer> {
  await access(path)
  let content = contents.get(path)
  if (content === undefined) {
    content = readFile(path)
    contents.set(path, content)
    content.catch(() => contents.delete(path))
  }
  return content
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
