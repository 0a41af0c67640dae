// Builds the browser app into web/dist, and compresses each file.
import { hash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import fastify from 'fastify'
import { defineConfig, type Plugin } from 'vite'

const outDir = join(import.meta.dirname, 'dist')

/** Compressing larger files at full quality would take as long as all others together. */
const largeBytes = 1_000_000

/** Images are small; text assets shrink to a third. */
function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    writeBundle: ({ dir = outDir }) => {
      const folder = join(dir, 'assets')
      for (const name of readdirSync(folder).filter((one) => /\.(js|css|svg)$/.test(one))) {
        const body = readFileSync(join(folder, name))
        const params = { [constants.BROTLI_PARAM_QUALITY]: body.length > largeBytes ? 9 : 11 }
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(body, { params }))
        writeFileSync(join(folder, `${name}.gz`), gzipSync(body, { level: 9 }))
      }
    },
  }
}

/** Larger files (compressed) are loaded on demand: chart export, API reference. Fonts are compressed as they are. */
const precacheBytesMax = 100_000

/** Writes the list of cached assets into the service worker, and the icon into the manifest. */
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    writeBundle: ({ dir = outDir }) => {
      const folder = join(dir, 'assets')
      const names = readdirSync(folder)
        .filter((name) => /\.(js|css|svg)$/.test(name))
        .filter((name) => statSync(join(folder, `${name}.gz`)).size <= precacheBytesMax)
        .concat(readdirSync(folder).filter((name) => name.endsWith('.woff2')))
      const files = names.map((name) => `/app/assets/${name}`)
      const worker = readFileSync(join(import.meta.dirname, 'service-worker.js'), 'utf8')
        .replace("['%files%']", JSON.stringify(files))
        .replace('%version%', hash('sha256', files.join('\n')).slice(0, 16))
      writeFileSync(join(dir, 'sw.js'), worker)
      const icon = files.find((name) => name.includes('/icon-')) ?? ''
      const manifest = readFileSync(join(import.meta.dirname, 'manifest.json'), 'utf8')
      writeFileSync(join(dir, 'manifest.json'), manifest.replace('%icon%', icon))
    },
  }
}

/** Adds to each component of the library that is used its styles, in their cascade layer. */
function componentStyles(): Plugin {
  return {
    name: 'component-styles',
    transform: {
      filter: { id: /@mantine\/core\/esm\/.*\.module\.mjs$/ },
      handler: (code, id) => `import '@mantine/core/styles/${basename(id, '.module.mjs')}.layer.css'\n${code}`,
    },
  }
}

/** Extracts the viewer from its package, which embeds it in a Fastify plugin. */
function apiReferenceViewer(): Plugin {
  return {
    name: 'api-reference-viewer',
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
  // The server replaces it by a fresh nonce per page.
  html: { cspNonce: '%nonce%' },
  css: { modules: { generateScopedName: (name, file) => `${basename(file, '.module.css')}-${name}` } },
  build: {
    outDir,
    // Browsers with light-dark(), which would ignore the chosen theme if compiled for older ones, and with mod().
    target: ['chrome125', 'firefox120', 'safari17.5'],
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    license: { fileName: 'licenses.json' },
    rolldownOptions: {
      input: ['index.html', 'reference.html'].map((name) => join(import.meta.dirname, name)),
      output: {
        // Error pages, which know no hash of the build, have the typeface too.
        assetFileNames: ({ names }) =>
          names.some((name) => name.endsWith('.woff2')) ? 'assets/[name][extname]' : 'assets/[name]-[hash][extname]',
        // Few files: opening a screen must not start dozens of requests.
        codeSplitting: {
          groups: [
            // What the page of the API reference needs of it.
            { name: 'pages', test: /contract[\\/](endpoints|path)\.|@fontsource/, priority: 1 },
            { name: 'libraries', tags: ['$initial'], test: /node_modules/, maxSize: 300_000 },
            // With the global styles, which those of components come after.
            { name: 'frame', tags: ['$initial'], test: /[\\/]web[\\/](api|app|components|i18n|styles)[\\/](?!main\.)/ },
            // Of many screens. The calendar is as large as the others together.
            { name: 'controls', minShareCount: 4, test: /^(?!.*(DayField|[\\/]dates[\\/]|dayjs))/ },
          ],
        },
      },
      // The libraries mark their files for server components.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
    },
  },
  plugins: [componentStyles(), apiReferenceViewer(), compressAssets(), serviceWorker()],
})
