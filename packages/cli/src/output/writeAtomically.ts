import { PRIVATE_FILE_MODE } from "@countersign/adapters/storage/files"
import { Effect, FileSystem, Stream } from "effect"
import { CommandRefused } from "../environment/errors.ts"

/** Writes a file atomically: writes a temporary file in the same folder, then renames it. */
export const writeAtomically = Effect.fnUntraced(function* <E, R>(
  flag: string,
  path: string,
  content: Stream.Stream<string, E, R>
) {
  const files = yield* FileSystem.FileSystem
  const temporaryPath = `${path}.part`
  const writeRefusal = () =>
    new CommandRefused({ reason: `${path} can't be written. Set ${flag} to a path in a writable folder.` })
  yield* Effect.mapError(files.writeFileString(temporaryPath, "", { mode: PRIVATE_FILE_MODE }), writeRefusal)
  yield* Stream.runForEach(content, (text) =>
    Effect.mapError(files.writeFileString(temporaryPath, text, { flag: "a", mode: PRIVATE_FILE_MODE }), writeRefusal)
  ).pipe(Effect.onError(() => Effect.ignore(files.remove(temporaryPath))))
  yield* Effect.mapError(files.rename(temporaryPath, path), writeRefusal)
})
