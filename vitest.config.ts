import { defineConfig } from 'vitest/config'

/** Kills, random walks, foreign clients, the package, and the app's screens in every look and by every key: half a minute to minutes each. */
const long = [
  'tests/clients/**',
  'tests/faults/**',
  'tests/fuzz/**',
  'tests/sim/**',
  'tests/web/{account,export-details,imports,mail-links,numbers,offline,records,xss}.test.ts',
  'tests/web/{data-quality,loading,pictures,reference,screens}.test.ts',
  'tests/web/{approvals-drawer,comparison,day-field,frame,line-lists,lists,long-names}.test.ts',
  'tests/web/{session-renewal,set-up,tables}.test.ts',
  'tests/app/guesses.test.ts',
  'tests/cost/kept-objects.test.ts',
  'tests/spec/4.3-costly.test.ts',
  'tests/http/slow-readers.test.ts',
  'tests/{deployment,docs-site,package}.test.ts',
]

/** Parsers, the planner, formats, the interface's own rules, and the cost of hot requests. */
const fast = ['src/**/*.test.ts', 'tests/{cost,engine,grammar,odata,spec}/**/*.test.ts']
const tooLongForFast = [
  'tests/cost/{allocation,executed-plans}.test.ts',
  'tests/spec/{4.3-polls,streams}.test.ts',
  'src/auth/authenticator/*.test.ts',
  // On PostgreSQL alone.
  'tests/cost/messages.test.ts',
]

/** A file that is named on the command line is run, whatever the scope. */
const isNamed = process.argv.some((argument) => /^(src|tests)\//.test(argument))
const scope = isNamed ? 'all' : (process.env['DAGSVERK_TEST_SCOPE'] ?? 'all')

/** They count what a process does for the first time, and what it keeps. */
const ofOwnProcess = ['tests/cost/**/*.test.ts']

const include = scope === 'fast' ? fast : ['src/**/*.test.ts', 'tests/**/*.test.ts']
const exclude = ['**/node_modules/**', ...({ fast: [...long, ...tooLongForFast], standard: long }[scope] ?? [])]

export default defineConfig({
  test: {
    // Test files that follow one another in a process share its modules: to load and compile them took a third of the CPU.
    projects: [
      { test: { name: 'shared process', include, exclude: [...exclude, ...ofOwnProcess], isolate: false } },
      { test: { name: 'own process', include: ofOwnProcess, exclude } },
    ],
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A screen follows a request of its own, and the machine may be busy.
    expect: { poll: { timeout: 15_000 } },
  },
})
