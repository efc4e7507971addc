import { PRIVATE_FILE_MODE } from "@countersign/adapters/storage/files"
import { Effect, FileSystem } from "effect"
import { CommandRefused } from "../environment/errors.ts"

/**
 * Creates a new file; fails if it exists. Returns a function that appends text, and ends when the text is on the disk.
 */
export const createFile = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const file = yield* Effect.mapError(
    files.open(path, { flag: "wx", mode: PRIVATE_FILE_MODE }),
    () =>
      new CommandRefused({ reason: `${path} exists or can't be written. Set --to to a new path in a writable folder.` })
  )
  return (text: string) =>
    Effect.mapError(
      Effect.andThen(file.writeAll(new TextEncoder().encode(text)), file.sync),
      ({ message }) =>
        new CommandRefused({
          reason: `${path} is incomplete: ${message}. Keep the file, because its rows may be deleted from the database. Run the command again with another file, which will contain the remaining rows. The last line of ${path} may be incomplete.`
        })
    )
})
