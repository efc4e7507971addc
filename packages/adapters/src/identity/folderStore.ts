import { access, link, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { DocumentExists } from "./documentErrors.ts"
import type { DocumentStore } from "./documentStore.ts"

const hasErrorCode = (thrown: unknown, code: string): boolean => Object(thrown).code === code

/** Stores documents as files in a folder. File system errors are defects. */
export const folderStore = (folder: string): DocumentStore => {
  const pathOf = (key: string) => join(folder, key.replaceAll("/", "."))
  return {
    has: (key) =>
      Effect.promise(() =>
        access(pathOf(key)).then(
          () => true,
          () => false
        )
      ),
    put: (key, { path }) =>
      Effect.tryPromise({ try: () => link(path, pathOf(key)), catch: (thrown) => thrown }).pipe(
        Effect.catch((thrown) =>
          hasErrorCode(thrown, "EEXIST") ? Effect.fail(new DocumentExists()) : Effect.die(thrown)
        )
      ),
    read: (key) =>
      Effect.promise(() =>
        readFile(pathOf(key)).catch((thrown: unknown) => {
          if (hasErrorCode(thrown, "ENOENT")) return null
          throw thrown
        })
      ),
    remove: (key) => Effect.promise(() => rm(pathOf(key), { force: true }))
  }
}
