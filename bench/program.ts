// Runs a program to its end; its output is shown only when it fails.
import { spawn } from 'node:child_process'

export interface Program {
  readonly command: string[]
  readonly folder: string
  readonly env?: Record<string, string>
  readonly input?: string
}

/** The standard output of the program. Throws with all its output when it fails. */
export function run(program: Program): Promise<string> {
  const [name = '', ...args] = program.command
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, {
      cwd: program.folder,
      env: { ...process.env, ...program.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let output = ''
    let complaints = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(output)
      else reject(new Error(`${program.command.join(' ')} ended with ${code}:\n${complaints}${output}`))
    })
    child.stdin.end(program.input ?? '')
  })
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
