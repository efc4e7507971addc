import { monitorEventLoopDelay } from "node:perf_hooks"
import { layerServices } from "@countersign/adapters/service/composition"
import { layerHttpService } from "@countersign/http"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { HttpServer } from "effect/http"
import { benchSettings } from "../shell/database.ts"

/**
 * Runs the service in a separate process: `server.ts HOME`. Reports its URL. Responds to each message with the longest
 * time for which the event loop was blocked since the previous message, and with the memory use.
 */

const RESOLUTION_MS = 1
const [home = ""] = process.argv.slice(2)

const service = layerHttpService({ port: 0, host: "127.0.0.1" }).pipe(
  Layer.provide(layerServices(benchSettings(home))),
  Layer.provideMerge(Logger.layer([]))
)
const url = await ManagedRuntime.make(service).runPromise(
  HttpServer.addressFormattedWith((address) => Effect.succeed(address))
)
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()
process.send?.({ url })
process.on("message", () => {
  // Responds in the next iteration of the event loop, so that the delay of this iteration is included.
  setTimeout(() => {
    process.send?.({ stallMs: delay.max / 1e6 - RESOLUTION_MS, rssMb: Math.round(process.memoryUsage.rss() / 2 ** 20) })
    delay.reset()
  }, 2 * RESOLUTION_MS)
})
