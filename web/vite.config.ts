// Builds the browser app into web/dist, with each file compressed as it will be sent.
import { hash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const outDir = join(import.meta.dirname, 'dist')

/** Pictures are small; all else shrinks to a third. */
const compressed = (): Plugin => ({
  name: 'compressed',
  closeBundle: () => {
    const folder = join(outDir, 'assets')
    for (const name of readdirSync(folder).filter((one) => /\.(js|css|svg)$/.test(one))) {
      const body = readFileSync(join(folder, name))
      writeFileSync(join(folder, `${name}.br`), brotliCompressSync(body))
      writeFileSync(join(folder, `${name}.gz`), gzipSync(body, { level: 9 }))
    }
  },
})

/** A file that is larger than this, packed, is fetched when it is needed: pictures of revenue, the API reference. */
const keptBytesMax = 100_000

/** The service worker with the names of what it keeps, and the manifest with that of the icon. */
const installable = (): Plugin => ({
  name: 'installable',
  closeBundle: () => {
    const folder = join(outDir, 'assets')
    const names = readdirSync(folder)
      .filter((name) => /\.(js|css|svg)$/.test(name))
      .filter((name) => statSync(join(folder, `${name}.gz`)).size <= keptBytesMax)
    const files = names.map((name) => `/app/assets/${name}`)
    const worker = readFileSync(join(import.meta.dirname, 'service-worker.js'), 'utf8')
      .replace("['%files%']", JSON.stringify(files))
      .replace('%version%', hash('sha256', files.join('\n')).slice(0, 16))
    writeFileSync(join(outDir, 'sw.js'), worker)
    const icon = files.find((name) => name.includes('/icon-')) ?? ''
    const manifest = readFileSync(join(import.meta.dirname, 'manifest.json'), 'utf8')
    writeFileSync(join(outDir, 'manifest.json'), manifest.replace('%icon%', icon))
  },
})

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  logLevel: 'warn',
  // The server puts another one into each page.
  html: { cspNonce: '%nonce%' },
  build: {
    outDir,
    // What knows light-dark(): written for older ones it would not follow the chosen theme.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // The libraries mark their files for another kind of server.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
    },
  },
  plugins: [compressed(), installable()],
})
