import { Console, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { table } from "../output/table.ts"
import type { InventoryItem } from "./inventory.ts"

const inventoryTable = (url: string, items: ReadonlyArray<InventoryItem>): string =>
  table(
    ["WHAT", "STATE", "DETAIL"],
    [["address", "ok", url], ...items.map(({ detail, isThere, what }) => [what, isThere ? "ok" : "missing", detail])]
  )

const details = (items: ReadonlyArray<InventoryItem>) =>
  Object.fromEntries(items.map(({ detail, what }) => [what, detail]))

/**
 * Logs the available and missing parts of the service as one log entry when the service starts to listen. In a terminal
 * it also prints a table.
 */
export const layerAnnounce = (items: ReadonlyArray<InventoryItem>, isTerminal: boolean) =>
  Layer.effectDiscard(
    HttpServer.addressFormattedWith((url) =>
      Effect.gen(function* () {
        const has = details(items.filter(({ isThere }) => isThere))
        const missingItems = details(items.filter(({ isThere }) => !isThere))
        yield* Effect.logInfo("listening", { url, has, lacks: missingItems })
        if (isTerminal) yield* Console.error(inventoryTable(url, items))
      })
    )
  )
