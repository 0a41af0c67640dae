// Service files: systemd units of server and backup, and the script `dagsverk-service`.

export interface Service {
  readonly user: string
  readonly dataDir: string
  readonly backupDir: string
  /** Absolute paths of Node and of the program that it runs. */
  readonly node: string
  readonly program: string
}

/** A type and not an interface, so that it can be printed as a row. */
export type ServiceFile = { readonly path: string; readonly mode: number; readonly content: string }

export function serviceFiles(service: Service): readonly ServiceFile[] {
  return [
    unit('dagsverk.service', serverUnit(service)),
    unit('dagsverk-backup.service', backupUnit(service)),
    unit('dagsverk-backup.timer', backupTimer),
    { path: '/usr/local/bin/dagsverk-service', mode: 0o755, content: script(service) },
  ]
}

function unit(name: string, content: string): ServiceFile {
  return { path: `/etc/systemd/system/${name}`, mode: 0o644, content: `${header}\n${content}` }
}

const header = '# Written by `dagsverk service install`, which overwrites it; changes go into `systemctl edit`.'

function serverUnit(service: Service): string {
  return `[Unit]
Description=Dagsverk
After=network-online.target
Wants=network-online.target

[Service]
# The server reports that it listens by systemd-notify, a process of its own. It limits by itself how long it waits for its database.
Type=notify
NotifyAccess=all
TimeoutStartSec=infinity
ExecStart=${command(service)} serve
Restart=on-failure
RestartSec=5
# 78 is a configuration error, or lost data: a restart would not help.
RestartPreventExitStatus=78
TimeoutStopSec=30
ReadWritePaths=${service.dataDir}
CacheDirectory=dagsverk
# Node keeps the compiled program there, which shortens the next start.
Environment=NODE_COMPILE_CACHE=/var/cache/dagsverk
${environment(service)}
[Install]
WantedBy=multi-user.target
`
}

/** The command restores the new backup into a temporary file; if that fails, it deletes no old one. */
function backupUnit(service: Service): string {
  return `[Unit]
Description=Backup of Dagsverk, and a rehearsal of its restore

[Service]
Type=oneshot
ExecStart=${command(service)} backup --keep ${backupsKept} --verify ${service.backupDir}
ReadWritePaths=${service.dataDir} ${service.backupDir}
Environment=TMPDIR=/var/tmp
${environment(service)}`
}

/** Two weeks. */
const backupsKept = 14

const backupTimer = `[Unit]
Description=Nightly backup of Dagsverk

[Timer]
OnCalendar=*-*-* 02:30
RandomizedDelaySec=30m
Persistent=true

[Install]
WantedBy=timers.target
`

/** Without MemoryDenyWriteExecute, because Node compiles at run time. */
function environment({ user, dataDir }: Service): string {
  return `User=${user}
Environment=DAGSVERK_DATA_DIR=${dataDir}
NoNewPrivileges=yes
PrivateDevices=yes
PrivateTmp=yes
ProtectHome=yes
ProtectSystem=strict
CapabilityBoundingSet=
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
UMask=0077
`
}

function command({ node, program }: Service): string {
  return `${node} --disable-proto=delete --max-semi-space-size=4 --v8-pool-size=2 ${program}`
}

function script(service: Service): string {
  return `#!/bin/sh
# Runs a command of Dagsverk as the user of the service, with its settings: dagsverk-service doctor
exec runuser -u ${service.user} -- env DAGSVERK_DATA_DIR=${service.dataDir} ${command(service)} "$@"
`
}
