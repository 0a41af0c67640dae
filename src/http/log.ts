// Log lines on their way out: those of one turn of the event loop leave together.

/** Gathers lines for `print` until the end of the turn; one write for many requests. */
export const lineBuffer = (print: (text: string) => void): { write(line: string): void } => {
  let lines = ''
  const flush = () => {
    print(lines)
    lines = ''
  }
  return {
    write: (line) => {
      if (lines === '') setImmediate(flush)
      lines += line
    },
  }
}
