import { Effect, FileSystem, Stream } from "effect"
import { Refused } from "../environment/errors.ts"

/** Only this user may read the file, because it contains financial data. */
const OWN_FILE = 0o600

/** Writes a file atomically, by a temporary file in the same folder. */
export const writeWhole = Effect.fnUntraced(function* <E, R>(
  flag: string,
  path: string,
  content: Stream.Stream<string, E, R>
) {
  const files = yield* FileSystem.FileSystem
  const part = `${path}.part`
  const writeRefusal = () =>
    new Refused({ reason: `${path} can't be written. Set ${flag} to a path in a writable folder.` })
  yield* Effect.mapError(files.writeFileString(part, "", { mode: OWN_FILE }), writeRefusal)
  yield* Stream.runForEach(content, (text) =>
    Effect.mapError(files.writeFileString(part, text, { flag: "a", mode: OWN_FILE }), writeRefusal)
  ).pipe(Effect.onError(() => Effect.ignore(files.remove(part))))
  yield* Effect.mapError(files.rename(part, path), writeRefusal)
})
