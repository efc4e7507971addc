import { readSandboxFile } from "@countersign/adapters/storage/home"
import { Effect } from "effect"
import { NothingToConnectTo } from "./errors.ts"
import { requestGateway } from "./gatewayClient.ts"
import { home } from "./home.ts"

/** The running sandbox of this home folder. Fails if there is none. */
export const runningSandbox = Effect.gen(function* () {
  const folder = yield* home
  const file = yield* readSandboxFile(folder)
  if (file === null) return yield* new NothingToConnectTo({ home: folder })
  const status = yield* Effect.mapError(
    requestGateway(file.gatewayUrl, "GET", "/status"),
    () => new NothingToConnectTo({ home: folder })
  )
  return { home: folder, file, status }
})
