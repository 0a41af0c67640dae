import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfiguration, type Environment } from './read-config.ts'
import { displayValue, displayValueForSupport, settingNames, variableName } from './settings.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dagsverk-config-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

function read(environment: Environment = {}, flags: Record<string, string> = {}) {
  return readConfiguration({ flags, environment, cwd: folder })
}

function file(name: string, text: string, mode = 0o600) {
  const path = join(folder, name)
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

function error(environment: Environment, flags: Record<string, string> = {}): string {
  try {
    read(environment, flags)
  } catch (error) {
    expect(error).toMatchObject({ name: 'OperatorError', exitCode: 78 })
    return String(error)
  }
  throw new Error('was not refused')
}

test('the defaults are loopback, port 8080 and SQLite in ./data', () => {
  const { config, origins, warnings } = read()
  expect(config).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    dataDir: join(folder, 'data'),
    databaseUrl: `sqlite:${join(folder, 'data', 'dagsverk.db')}`,
    publicUrl: '',
    allowedHosts: [],
    rateLimit: 6000,
    logLevel: 'info',
    masterKey: '',
  })
  expect([...origins.keys()].toSorted()).toEqual([...settingNames].toSorted())
  expect(new Set(origins.values())).toEqual(new Set(['default']))
  expect(warnings).toEqual([])
})

test('flags override the environment, which overrides the file, which overrides the defaults', () => {
  const config = file('c.json', '{"port":1000,"logLevel":"warn","rateLimit":"off"}')
  const environment = { DAGSVERK_PORT: '2000', DAGSVERK_LOG_LEVEL: 'error' }
  const found = read(environment, { config, port: '3000' })
  expect(found.config).toMatchObject({ port: 3000, logLevel: 'error', rateLimit: null })
  expect(found.origins.get('port')).toBe('--port')
  expect(found.origins.get('logLevel')).toBe('DAGSVERK_LOG_LEVEL')
  expect(found.origins.get('rateLimit')).toBe(`"rateLimit" in ${config}`)
  expect(found.origins.get('host')).toBe('default')
})

test('dagsverk.json in the data folder is read by default', () => {
  file('dagsverk.json', '{"port":1000,"trustProxy":["10.0.0.1","10.0.0.2"]}', 0o644)
  const { config } = read({ DAGSVERK_DATA_DIR: '.' })
  expect(config.port).toBe(1000)
  expect(config.trustProxy.names).toEqual(['10.0.0.1', '10.0.0.2'])
})

test('an empty variable counts as not set', () => {
  expect(read({ DAGSVERK_PORT: '' }).config.port).toBe(8080)
})

test.each([
  ['sqlite:here.db', (cwd: string) => `sqlite:${join(cwd, 'here.db')}`],
  ['sqlite:/there.db', () => 'sqlite:/there.db'],
  ['sqlite:///there.db', () => 'sqlite:/there.db'],
  ['postgres://u:p@h/db', () => 'postgres://u:p@h/db'],
  [
    'postgres://u@h1:5432,[::1]:5433/db?target_session_attrs=read-write',
    () => 'postgres://u@h1:5432,[::1]:5433/db?target_session_attrs=read-write',
  ],
])('a database is %s', (url, expected) => {
  expect(read({ DAGSVERK_DATABASE_URL: url }).config.databaseUrl).toBe(expected(folder))
})

test.each([
  ['DAGSVERK_PORT', '80a', 'DAGSVERK_PORT "80a" is not valid: it must be a number from 0 to 65535.'],
  ['DAGSVERK_PORT', '65536', 'from 0 to 65535'],
  ['DAGSVERK_DATABASE_WAIT_SECONDS', '1m', 'a number of seconds'],
  ['DAGSVERK_BEHIND_PROXY', 'yes', 'one of on, off'],
  ['DAGSVERK_BEHIND_PROXY', 'on', 'set DAGSVERK_TRUST_PROXY to its addresses'],
  ['DAGSVERK_RATE_LIMIT', '0', 'requests per minute, or off'],
  ['DAGSVERK_UNAUTHENTICATED_CONNECTIONS', '0', 'from 1 to 999999'],
  ['DAGSVERK_LOG_LEVEL', 'loud', 'one of silent, fatal'],
  ['DAGSVERK_TRUST_PROXY', '10.0.0.1,proxy', '"proxy" is not an IP address'],
  ['DAGSVERK_PUBLIC_URL', 'tall.example.no', 'like https://'],
  ['DAGSVERK_ALLOWED_HOSTS', 'a.no,https://b.no', '"https://b.no" is not a host name'],
  ['DAGSVERK_ALLOWED_HOSTS', 'tall.example.no:8443', 'without scheme, port and path'],
  ['DAGSVERK_ALLOWED_HOSTS', 'tall.example.no:80', 'without scheme, port and path'],
  ['DAGSVERK_ALLOWED_HOSTS', '*.example.no', 'is not a host name'],
  ['DAGSVERK_PUBLIC_URL', 'https://a.no/?passord=x', 'like https://'],
  ['DAGSVERK_CONFIG', 'none.json', 'There is no config file'],
  ['DAGSVERK_CONFIG', '.', 'cannot be read: EISDIR'],
  ['DAGSVERK_MASTER_KEY_FILE', '.', 'cannot be read: EISDIR'],
  ['DAGSVERK_DATABASE_URL', 'postgres://u@h1:5432,h2:x/db', 'HOST may be HOST:PORT,HOST:PORT'],
  ['DAGSVERK_DATABASE_URL', 'postgres://u@h1,/db', 'HOST may be HOST:PORT,HOST:PORT'],
  ['DAGSVERK_DATABASE_URL', 'postgres://h1,h2/db?target_session_attrs=standby', 'must be read-write or primary'],
])('%s=%s is rejected with the name of the setting and what to do', (name, value, says) => {
  const message = error({ [name]: value })
  expect(message).toContain(says)
})

test('a server that other machines can reach needs a public URL', () => {
  const message = error({ DAGSVERK_HOST: '0.0.0.0' })
  expect(message).toContain('DAGSVERK_HOST')
  expect(message).toContain('DAGSVERK_PUBLIC_URL')
  expect(error({ DAGSVERK_HOST: '127.example' })).toContain('DAGSVERK_PUBLIC_URL')
  const environment = { DAGSVERK_HOST: '0.0.0.0', DAGSVERK_PUBLIC_URL: 'https://tall.example.no/' }
  expect(read(environment).config.publicUrl).toBe('https://tall.example.no')
  expect(read({ DAGSVERK_HOST: 'localhost' }).config.host).toBe('localhost')
})

test('a config file may begin with a byte order mark', () => {
  const config = file('c.json', '\uFEFF{"port":1000}')
  expect(read({}, { config }).config.port).toBe(1000)
})

test('an unknown variable gives a warning with a suggestion', () => {
  const { warnings } = read({ DAGSVERK_PROT: '1', DAGSVERK_TEST_POSTGRES_URL: 'x', DAGSVERK_ZZZZZZ: '1', OTHER: '1' })
  expect(warnings).toEqual([
    'There is no setting DAGSVERK_PROT. Did you mean DAGSVERK_PORT?',
    'There is no setting DAGSVERK_ZZZZZZ.',
  ])
})

test('host names are taken as browsers send them', () => {
  const allowedHosts = 'Tall.Example.NO blåbær.no [FD00:0::2] 192.0.2.2'
  const sent = ['tall.example.no', 'xn--blbr-roah.no', '[fd00::2]', '192.0.2.2']
  expect(read({ DAGSVERK_ALLOWED_HOSTS: allowedHosts }).config.allowedHosts).toEqual(sent)
})

test('origins are taken as browsers send them', () => {
  const corsOrigins = 'https://app.example.no, http://localhost:8081'
  expect(read({}, { corsOrigins }).config.corsOrigins).toEqual(corsOrigins.split(', '))
  expect(read({}, { corsOrigins: '*' }).config.corsOrigins).toEqual(['*'])
  for (const wrong of ['app.example.no', 'https://a.no/', 'https://a.no:443', '*,https://a.no', 'null'])
    expect(error({}, { corsOrigins: wrong }), wrong).toContain('origins like https://app.example.no')
})

test('an unknown setting in the file is rejected', () => {
  const config = file('c.json', '{"prot":1}')
  expect(error({}, { config })).toContain('There is no setting "prot"')
  expect(error({}, { config })).toContain('Did you mean port?')
})

test('a secret is read from a file that only its owner can read', () => {
  const path = file('key', 'the-key\n', 0o400)
  const { config, origins } = read({ DAGSVERK_MASTER_KEY_FILE: path })
  expect(config.masterKey).toBe('the-key')
  expect(origins.get('masterKey')).toBe('DAGSVERK_MASTER_KEY_FILE')
  const inFile = file('c.json', JSON.stringify({ masterKeyFile: 'key' }), 0o644)
  expect(read({}, { config: inFile }).config.masterKey).toBe('the-key')
})

test('a secret file or config file with a secret that other users can read is rejected', () => {
  const path = file('key', 'the-key', 0o644)
  expect(error({ DAGSVERK_MASTER_KEY_FILE: path })).toContain(`chmod 600 ${path}`)
  expect(error({ DAGSVERK_MASTER_KEY_FILE: join(folder, 'none') })).toContain('there is no file')
  const config = file('c.json', '{"masterKey":"the-key"}', 0o640)
  expect(error({}, { config })).toContain(`chmod 600 ${config}`)
})

test('a password in an argument is rejected without printing it', () => {
  for (const databaseUrl of ['postgres://u:hemmelig@h/db', 'postgres://u@h/db?password=hemmelig']) {
    const message = error({}, { databaseUrl })
    expect(message).toContain('DAGSVERK_DATABASE_URL_FILE')
    expect(message).not.toContain('hemmelig')
  }
  expect(read({}, { databaseUrl: 'postgres://u@h/db' }).config.databaseUrl).toBe('postgres://u@h/db')
})

test.each(['https://login.example/realms/a', 'http://localhost:8081', 'http://127.0.0.1:8081/'])(
  'an identity provider is taken to the letter: %s',
  (oidcIssuer) => {
    expect(read({}, { oidcIssuer, oidcClientId: 'dagsverk' }).config).toMatchObject({ oidcIssuer })
  },
)

test.each([
  [{ oidcIssuer: 'http://login.example', oidcClientId: 'a' }, '--oidc-issuer'],
  [{ oidcIssuer: 'login.example', oidcClientId: 'a' }, '--oidc-issuer'],
  [{ oidcIssuer: 'https://login.example/?a=b', oidcClientId: 'a' }, '--oidc-issuer'],
  [{ oidcIssuer: 'https://login.example' }, 'DAGSVERK_OIDC_CLIENT_ID'],
])('an invalid identity provider setting is rejected: %j', (flags, names) => {
  expect(error({}, flags)).toContain(names)
})

test('group roles are separated by commas or line breaks, and may contain spaces', () => {
  const { config } = read({ DAGSVERK_OIDC_ROLES: 'a=Fjord AS:admin,\n b=Fjell:viewer\n' })
  expect(config.oidcRoles).toEqual(['a=Fjord AS:admin', 'b=Fjell:viewer'])
  expect(displayValue('oidcRoles', config)).toBe('a=Fjord AS:admin,b=Fjell:viewer')
  // A support bundle must not name companies.
  expect(settingNames.map((name) => displayValueForSupport(name, config)).join()).not.toMatch(/Fj/)
})

test('secrets are masked in errors and in output', () => {
  expect(error({ DAGSVERK_DATABASE_URL: 'mysql://u:hemmelig@h/db' })).not.toContain('hemmelig')
  const { config } = read({
    DAGSVERK_DATABASE_URL: 'postgres://u:hemm%40elig@h/db?password=hemmelig',
    DAGSVERK_MASTER_KEY: 'hemmelig',
    DAGSVERK_OIDC_CLIENT_SECRET: 'hemmelig',
  })
  const all = settingNames.map((name) => displayValue(name, config)).join('\n')
  expect(all).not.toContain('hemm')
  expect(all).toContain('postgres://u:***@h/db')
})

test('the password of a URL with several servers is masked', () => {
  const several = { DAGSVERK_DATABASE_URL: 'postgres://u:a,b@h1:5432,h2/db?password=c' }
  expect(displayValue('databaseUrl', read(several).config)).toBe('postgres://u:***@h1:5432,h2/db?password=***')
})

test('displayed values can be used as settings', () => {
  const { config } = read({ DAGSVERK_ALLOW_HTTP: '10.0.0.0/8, ::1', DAGSVERK_RATE_LIMIT: 'OFF' })
  expect(displayValue('allowHttp', config)).toBe('10.0.0.0/8,::1')
  expect(displayValue('rateLimit', config)).toBe('off')
  expect(displayValue('port', config)).toBe('8080')
})

test('every setting has an environment variable', () => {
  expect(settingNames.map(variableName)).toContain('DAGSVERK_DATABASE_URL')
})

test.each(['http://post.no', 'smtp://:25', 'smtp://post.no/inn', 'smtp://post.no?tls=off', 'post.no'])(
  '%s is not a valid mail server',
  (url) => {
    const said = error({ DAGSVERK_SMTP_URL: url, DAGSVERK_MAIL_FROM: 'a@b.no' })
    expect(said).toContain('it must be smtp://')
    expect(said).not.toContain(url)
  },
)

test.each(['a@b.no', 'Dagsverk <a@b.no>', 'Dagsverk Øst AS <a@b.no>'])('mail comes from %s', (from) => {
  const { config } = read({ DAGSVERK_SMTP_URL: 'smtp://post.no', DAGSVERK_MAIL_FROM: from })
  expect(config).toMatchObject({ smtpUrl: 'smtp://post.no', mailFrom: from })
})

test('the sender is one address, and required with a mail server', () => {
  for (const from of ['a', 'a@b@c', 'a@b.no\r\nBcc: c@d.no', 'a@b.no, c@d.no'])
    expect(error({ DAGSVERK_MAIL_FROM: from })).toContain('it must be an e-mail address')
  expect(error({ DAGSVERK_SMTP_URL: 'smtp://post.no' })).toContain('DAGSVERK_MAIL_FROM')
})
