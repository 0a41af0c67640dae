// File chain: verifies that each journal file of a server continues the one before it.
import { exitCodes, OperatorError } from '../lib/operator-error.ts'
import { noHash, type JournalLine, type JournalOpening } from './record.ts'

/** The files of one server. No program removes a file, so the chain begins with the first file that the server wrote. */
export class FileChain {
  #lastHash = noHash
  /** Hashes of lines: after a failed write the next file may follow any of them. */
  #hashes = new Set<string>()

  /** Lines in writing order. Throws an `OperatorError` where a file is missing or was exchanged before `path`. */
  add(line: JournalLine, hash: string, path: string): void {
    if (line.kind === 'opening') this.#addOpening(line, path)
    this.#hashes.add(hash)
    this.#lastHash = hash
  }

  #addOpening({ previousHash, isAfterFailure = false }: JournalOpening, path: string): void {
    const isNext = previousHash === this.#lastHash || (isAfterFailure && this.#hashes.has(previousHash))
    if (!isNext)
      throw new OperatorError(
        `The export journal lacks the file that was written before ${path}, or that file was exchanged. Put it back, or move the journal away and reconcile with the receivers before you release exports.`,
        exitCodes.storage,
      )
    // The write of this line may have failed: then the next file follows the same line as this one.
    this.#hashes = new Set([previousHash])
  }
}
