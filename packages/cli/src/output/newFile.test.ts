import { assert, it } from "@effect/vitest"
import { Effect, FileSystem, PlatformError } from "effect"
import { createFile } from "./newFile.ts"

const failure = (description: string) =>
  PlatformError.systemError({ _tag: "Unknown", module: "FileSystem", method: "write", description })

it.effect("advises to keep the file if the disk is full, because only this file may contain the first rows", () =>
  Effect.gen(function* () {
    const writtenTexts: Array<string> = []
    const file = {
      sync: Effect.void,
      writeAll: (bytes: Uint8Array) =>
        writtenTexts.length > 0
          ? Effect.fail(failure("no space left on device"))
          : Effect.sync(() => void writtenTexts.push(new TextDecoder().decode(bytes)))
    } as Partial<FileSystem.File> as FileSystem.File
    const append = yield* createFile("2026-01.jsonl").pipe(
      Effect.provide(FileSystem.layerNoop({ open: () => Effect.succeed(file) }))
    )
    yield* append("first\n")
    const refusal = yield* Effect.flip(append("second\n"))
    assert.deepStrictEqual(writtenTexts, ["first\n"])
    assert.include(refusal.reason, "2026-01.jsonl is incomplete")
    assert.include(refusal.reason, "no space left on device")
    assert.include(refusal.reason, "Keep the file")
  })
)
