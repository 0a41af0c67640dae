// importCode: dynamic imports, whose failure is an error of the connection, or of code that a newer version has replaced.
import { checkConnection } from '../api/client.ts'

/** Throws RequestError `Offline` when the server cannot be reached; otherwise the error of the import: the router then loads the page again. */
export function importCode<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    try {
      return await load()
    } catch (error) {
      await checkConnection()
      throw error
    }
  }
}
