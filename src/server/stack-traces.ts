// Stack traces of the bundled server: they name the files and lines of its sources (ADR 0001).
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Node's own support reads every source map at the start, which takes 0.3 s and 30 MB. */
export function nameSourcesInStackTraces(): void {
  Error.prepareStackTrace = (error, frames) =>
    [String(error), ...frames.map((frame) => `    at ${nameSource(frame)}`)].join('\n')
}

function nameSource(frame: { toString(): string }): string {
  return frame.toString().replace(/(file:\S+\.js):(\d+):(\d+)/, (place, url, line, column) => {
    const origin = readSourceMap(url)?.findOrigin(Number(line), Number(column))
    if (origin === undefined || !('fileName' in origin)) return place
    const path = origin.fileName.replace(/^(\.\.\/)+/, '')
    return `${path}:${origin.lineNumber}:${origin.columnNumber}`
  })
}

const sourceMaps = new Map<string, SourceMap | undefined>()

function readSourceMap(url: string): SourceMap | undefined {
  if (!sourceMaps.has(url)) {
    const path = `${fileURLToPath(url)}.map`
    const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined
    sourceMaps.set(url, text === undefined ? undefined : new SourceMap(JSON.parse(text)))
  }
  return sourceMaps.get(url)
}
