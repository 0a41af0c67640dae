// `dagsverk service install`: writes the systemd units and the script `dagsverk-service`.
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Command } from '@commander-js/extra-typings'
import { printRows } from '../support/print.ts'
import { serviceFiles, type Service } from '../support/service-files.ts'
import type { Runtime } from '../../server/environment.ts'
import { configurationError, OperatorError, usageError } from '../../lib/operator-error.ts'

export function addServiceCommand(program: Command, runtime: Runtime): void {
  program
    .command('service')
    .description('run the server as a service of systemd')
    .addHelpText('afterAll', examples)
    .command('install')
    .description('write units, backup timer and a script for commands; create user and folders')
    .option('--user <name>', 'user of the service', 'dagsverk')
    .option('--data-dir <folder>', 'data folder of the service', '/var/lib/dagsverk')
    .option('--backup-dir <folder>', 'folder of the nightly backups', '/var/backups/dagsverk')
    .option('--root <folder>', 'write below this folder, as for an image of another machine', '/')
    .option('--dry-run', 'only print the files')
    .option('--json', 'print JSON')
    .action((flags) => {
      const service = { ...flags, node: process.execPath, program: runtime.program }
      const root = resolve(runtime.cwd, flags.root)
      checkNames(service)
      const files = serviceFiles(service)
      if (!flags.dryRun) install(service, root)
      if (flags.dryRun && !flags.json) for (const { path, content } of files) runtime.print(`# ${path}\n${content}\n`)
      else printRows(runtime, flags.json ? files : files.map(({ path }) => ({ path })), flags)
      if (!flags.dryRun) runtime.printMessage(nextSteps(service))
    })
}

/** Units give a meaning to other characters. */
function checkNames({ user, node, program, dataDir, backupDir }: Service): void {
  if (!/^[a-z_][\w-]*$/.test(user)) throw usageError(`"${user}" is not the name of a user.`)
  for (const path of [dataDir, backupDir, node, program])
    if (!/^\/[\w.@:+/-]+$/.test(path))
      throw usageError(`${path} must be an absolute path of letters, digits and . @ : + - _`)
}

/** The units hide home folders from the service. */
function rejectHomeFolders({ node, program, dataDir, backupDir }: Service): void {
  const hidden = [node, program, dataDir, backupDir].find((path) => /^\/(home|root)\//.test(path))
  if (hidden !== undefined)
    throw configurationError(
      `The service cannot use ${hidden}, because home folders are hidden from it. Install Node and dagsverk for all users, and choose other folders.`,
    )
}

function install(service: Service, root: string): void {
  if (root === '/') rejectHomeFolders(service)
  try {
    const owner = userOf(service, root)
    for (const folder of [service.dataDir, service.backupDir]) createFolder(join(root, folder), service.user, owner)
    for (const { path, mode, content } of serviceFiles(service)) {
      mkdirSync(dirname(join(root, path)), { recursive: true, mode: 0o755 })
      writeFileSync(join(root, path), content)
      // The umask of this program hides new files from other users.
      chmodSync(join(root, path), mode)
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(
      `The service could not be installed; run the command as root, on a machine with systemd. ${error instanceof Error ? error.message : ''}`,
    )
  }
}

interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Creates the user, if this machine has none of the name. */
function userOf({ user, dataDir }: Service, root: string): Owner {
  const run = (...args: [string, ...string[]]) =>
    execFileSync(args[0], args.slice(1), { stdio: 'pipe', encoding: 'utf8' })
  const find = () => ({ uid: Number(run('id', '-u', user)), gid: Number(run('id', '-g', user)) })
  try {
    return find()
  } catch (error) {
    if (root !== '/') throw error
  }
  run('useradd', '--system', '--home-dir', dataDir, '--shell', '/usr/sbin/nologin', user)
  return find()
}

/** For the user alone. A folder that exists must be the user's. */
function createFolder(path: string, user: string, { uid, gid }: Owner): void {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
    mkdirSync(path, { mode: 0o700 })
    chownSync(path, uid, gid)
  } else if (statSync(path).uid !== uid)
    throw configurationError(
      `${path} exists and belongs to another user than ${user}. If it is the service's, run: chown --recursive ${user}: ${path}`,
    )
}

function nextSteps({ dataDir }: Service): string {
  return `Put the settings into ${dataDir}/dagsverk.json. Then run:
  systemctl daemon-reload
  systemctl enable --now dagsverk dagsverk-backup.timer
`
}

const examples = `
Files are overwritten by the next installation: put changes of your own into drop-ins (systemctl edit dagsverk).

Examples:
  dagsverk service install --dry-run
  dagsverk service install
  dagsverk service install --user dagsverk --data-dir /srv/dagsverk --backup-dir /mnt/backup/dagsverk
`
