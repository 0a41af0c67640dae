// Builds the browser app into web/dist, with each file compressed as it will be sent.
import { hash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import fastify from 'fastify'
import { defineConfig, type Plugin } from 'vite'

const outDir = join(import.meta.dirname, 'dist')

/** What is larger would take as long to pack as all else together. */
const largeBytes = 1_000_000

/** Pictures are small; all else shrinks to a third. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    closeBundle: () => {
      const folder = join(outDir, 'assets')
      for (const name of readdirSync(folder).filter((one) => /\.(js|css|svg)$/.test(one))) {
        const body = readFileSync(join(folder, name))
        const params = { [constants.BROTLI_PARAM_QUALITY]: body.length > largeBytes ? 9 : 11 }
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(body, { params }))
        writeFileSync(join(folder, `${name}.gz`), gzipSync(body, { level: 9 }))
      }
    },
  }
}

/** A file that is larger than this, packed, is fetched when it is needed: pictures of revenue, the API reference. */
const keptBytesMax = 100_000

/** The service worker with the names of what it keeps, and the manifest with that of the icon. */
function installable(): Plugin {
  return {
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
  }
}

/** The file of the API reference's viewer, which its package keeps inside of a plugin: asked for as a server would. */
function viewer(): Plugin {
  return {
    name: 'viewer',
    resolveId: (id) => (id === 'virtual:viewer' ? `\0${id}` : null),
    async load(id) {
      if (id !== '\0virtual:viewer') return null
      const app = fastify()
      await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
      const { body } = await app.inject('/docs/js/scalar.js')
      const source = body.replace(/\n\/\/# sourceMappingURL=.*$/, '')
      const file = this.emitFile({ type: 'asset', name: 'scalar.js', source })
      return `export default import.meta.ROLLUP_FILE_URL_${file}`
    },
  }
}

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
      input: ['index.html', 'reference.html'].map((name) => join(import.meta.dirname, name)),
      // The libraries mark their files for another kind of server.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
    },
  },
  plugins: [viewer(), compressed(), installable()],
})
