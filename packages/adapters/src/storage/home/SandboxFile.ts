import { readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { PRIVATE_FILE_MODE } from "../files/index.ts"

/** Describes a running sandbox for scripts: its address, a project with a key, owners, wallets and tokens. */
export const SandboxFile = Schema.Struct({
  baseUrl: Schema.String,
  apiKey: Schema.String,
  project: Schema.Struct({ id: Schema.String, name: Schema.String }),
  owners: Schema.Array(Schema.Struct({ address: Schema.String, privateKey: Schema.String })),
  wallets: Schema.Array(
    Schema.Struct({
      walletAddress: Schema.String,
      externallyOwnedAccount: Schema.String,
      factory: Schema.String,
      salt: Schema.Finite,
      eip7702: Schema.Boolean
    })
  ),
  chains: Schema.Array(Schema.Struct({ id: Schema.Finite, rpcUrl: Schema.String })),
  tokens: Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.String)),
  /**
   * A regtest chain whose addresses have the mainnet format. Do not send real bitcoin to them, because their private
   * keys are publicly known.
   */
  bitcoin: Schema.optionalKey(
    Schema.Struct({
      network: Schema.Literal("regtest"),
      esploraUrl: Schema.String,
      wallets: Schema.Array(
        Schema.Struct({
          walletAddress: Schema.String,
          kind: Schema.String,
          privateKey: Schema.String,
          /** Absent in files of earlier versions. */
          publicKey: Schema.optionalKey(Schema.String)
        })
      )
    })
  ),
  gatewayUrl: Schema.String,
  paymasters: Schema.Struct({ "0.7": Schema.String, "0.8": Schema.String }),
  pid: Schema.Int
})
export type SandboxFile = typeof SandboxFile.Type

export const sandboxFilePath = (home: string): string => join(home, "sandbox.json")

/** Returns the path of the sandbox's database in its home folder. */
export const sandboxDatabaseFile = (home: string): string => join(home, "countersign.db")

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(SandboxFile))
const encode = Schema.encodeEffect(Schema.fromJsonString(SandboxFile))

/** Reads the file of the last sandbox in this home folder; null if there is none or it can't be read. */
export const readSandboxFile = (home: string): Effect.Effect<SandboxFile | null> =>
  Effect.tryPromise(() => readFile(sandboxFilePath(home), "utf8")).pipe(
    Effect.flatMap(decode),
    Effect.orElseSucceed(() => null)
  )

/** Writes the file atomically, and readable only for its owner, because it contains a key. */
export const writeSandboxFile = Effect.fnUntraced(function* (home: string, file: SandboxFile) {
  const text = yield* Effect.orDie(encode(file))
  const target = sandboxFilePath(home)
  const temporaryPath = `${target}.${process.pid}`
  yield* Effect.promise(async () => {
    // A temporary file of a killed process would keep its permissions.
    await rm(temporaryPath, { force: true })
    await writeFile(temporaryPath, `${JSON.stringify(JSON.parse(text), null, 2)}\n`, { mode: PRIVATE_FILE_MODE })
    await rename(temporaryPath, target)
  })
})
