import { readSetting } from "@countersign/adapters/service/settings"
import { ensurePrivateFolder } from "@countersign/adapters/storage/files"
import { readSandboxFile } from "@countersign/adapters/storage/home"
import { Console, Effect, Layer } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandRefused } from "../environment/errors.ts"
import { requestGateway } from "../environment/gatewayClient.ts"
import { home } from "../environment/home.ts"
import { loadSandboxService } from "../environment/loadSandbox.ts"
import { listenAddress, listenFlags } from "./listenFlags.ts"

/** Fails if a sandbox already runs in this home folder, because two sandboxes would overwrite each other's chains. */
const requireNoRunningSandbox = Effect.fnUntraced(function* (folder: string) {
  const file = yield* readSandboxFile(folder)
  if (file === null) return
  const status = yield* Effect.option(requestGateway(file.gatewayUrl, "GET", "/status"))
  if (status._tag === "Some") {
    return yield* new CommandRefused({
      reason: `A sandbox with the folder ${folder} is already running at ${file.baseUrl} (process ${file.pid}). Stop it, or set COUNTERSIGN_HOME to another folder.`
    })
  }
})

export const start = Command.make(
  "start",
  {
    ...listenFlags,
    fresh: Flag.Boolean("fresh").pipe(Flag.withDescription("Delete the data of earlier runs"), Flag.withDefault(false))
  },
  Effect.fnUntraced(function* ({ fresh, ...listenOptions }) {
    const { host, port } = yield* listenAddress(listenOptions)
    const publicUrl = yield* readSetting("PUBLIC_URL")
    const folder = yield* home
    yield* Effect.sync(() => ensurePrivateFolder(folder))
    yield* requireNoRunningSandbox(folder)
    const { layerLogFile, layerSandbox, requireFreePort, welcome } = yield* loadSandboxService
    yield* requireFreePort(host, port)
    yield* Console.error(
      "Starting the sandbox: contracts, chains, Bitcoin, database, wallets. The log is countersign.log."
    )
    const service = layerSandbox({
      home: folder,
      port,
      host,
      publicUrl,
      fresh,
      onReady: ({ file, kinds }, milliseconds) =>
        Console.log(welcome(file, kinds, folder, (milliseconds / 1000).toFixed(1)))
    })
    yield* Layer.launch(service.pipe(Layer.provide(layerLogFile(folder))))
  })
).pipe(
  Command.withDescription("Run the service on embedded chains, with funded wallets"),
  Command.withExamples([
    {
      command: "countersign sandbox start --port 0 --fresh",
      description: "Start on any free port, without data of earlier runs"
    }
  ])
)
