import { operatorAddresses } from "@countersign/adapters/chains/evm"
import type {
  BundlerSettings,
  DatabaseSettings,
  PaymasterSettings,
  Settings
} from "@countersign/adapters/service/composition"
import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import { Redacted } from "effect"
import { failureText } from "../doctor/checks/nodes.ts"
import type { ChainAtStart } from "./nodesAtStart.ts"

/** One part of the service, described without secrets and URL credentials. */
export interface InventoryItem {
  readonly what: string
  /** Whether the part is available now. */
  readonly isThere: boolean
  readonly detail: string
}

/** Settings of the HTTP server that the inventory displays. */
export interface HttpSetUp {
  readonly parallelRequestsMax: number
  readonly connectionsMax: number
  readonly corsOrigins: ReadonlyArray<string>
  readonly appPage: boolean
  readonly adminConsole: "off" | "loopback" | "on"
  readonly hasMetricsToken: boolean
  /** Host of the trace collector; null if none is configured. */
  readonly tracesTo: string | null
}

const activeItem = (what: string, detail: string): InventoryItem => ({ what, isThere: true, detail })
const missingItem = (what: string, detail: string): InventoryItem => ({ what, isThere: false, detail })

const databaseItem = (database: DatabaseSettings): InventoryItem => {
  if (database._tag === "Sqlite")
    return activeItem("database", `SQLite ${database.filename}, which only this process may use`)
  const { host, pathname } = new URL(Redacted.value(database.url))
  return activeItem("database", `Postgres ${host}${pathname}`)
}

/** Displays only the host of the SMTP URL, because the URL may contain a password. */
const mailItem = (mail: Settings["mail"]): InventoryItem => {
  if (mail?._tag === "Smtp")
    return activeItem("mail", `by ${new URL(Redacted.value(mail.url)).host}, from ${mail.from}`)
  return missingItem(
    "mail",
    mail === undefined ? "not configured" : `not sent, but written to ${mail.folder} (SMTP_URL is not set)`
  )
}

const chainItem = ({ chainId, nodes }: ChainAtStart): InventoryItem => {
  const nodeTexts = nodes.map(
    (node) => `${node.host} ${node._tag === "Failed" ? failureText(node.failure) : "responds"}`
  )
  const item = nodes.some(({ _tag }) => _tag === "Answered") ? activeItem : missingItem
  return item(`${chainOf(chainId).name} (${chainId})`, nodeTexts.join("; "))
}

const contractItems = ({
  canBePrepared,
  chainId,
  lacks: missingContractFeatures
}: ChainAtStart): ReadonlyArray<InventoryItem> => {
  if (missingContractFeatures.length === 0) return []
  const remedy = canBePrepared
    ? `. \`countersign chain prepare --chain ${chainId}\` deploys the standard contracts`
    : ""
  return [
    missingItem(
      `contracts of ${chainOf(chainId).name} (${chainId})`,
      `missing for ${missingContractFeatures.join("; ")}${remedy}`
    )
  ]
}

const hostsText = (urls: ReadonlyMap<EvmChainId, ReadonlyArray<string>>): string =>
  [...urls]
    .map(([chainId, list]) => `${chainOf(chainId).name}: ${list.map((url) => new URL(url).host).join(", ")}`)
    .join("; ")

const bundlerItem = (bundler: BundlerSettings): InventoryItem => {
  switch (bundler._tag) {
    case "Self": {
      const { "0.7": addresses07, "0.8": addresses08 } = operatorAddresses(bundler.operatorKeys)
      return activeItem(
        "bundler",
        `its own; EntryPoint 0.7 by ${addresses07.join(", ")}; EntryPoint 0.8 by ${addresses08.join(", ")}`
      )
    }
    case "Rpc":
      return activeItem("bundler", hostsText(bundler.urls))
    case "None":
      return missingItem(
        "bundler",
        "not configured: no operation is quoted or sent. Set OPERATOR_PRIVATE_KEYS_0_7 and OPERATOR_PRIVATE_KEYS_0_8, or BUNDLER_URL_<chain id>"
      )
  }
}

const paymasterItem = (paymaster: PaymasterSettings): InventoryItem => {
  switch (paymaster._tag) {
    case "Self":
      return activeItem(
        "paymaster",
        `its own; ${paymaster.paymasters["0.7"]} (0.7), ${paymaster.paymasters["0.8"]} (0.8); tokens go to ${paymaster.treasury}`
      )
    case "Rpc":
      return activeItem("paymaster", hostsText(paymaster.urls))
    case "None":
      return missingItem(
        "paymaster",
        "not configured: wallets can pay gas only with native tokens. `countersign paymaster deploy` sets up a paymaster"
      )
  }
}

const limitsItem = ({ quotes, rateLimit, unpaidGasLimits }: Settings, http: HttpSetUp): InventoryItem =>
  activeItem(
    "limits",
    [
      `${http.parallelRequestsMax} concurrent requests and ${http.connectionsMax} connections`,
      rateLimit === null
        ? "no rate limit"
        : `${rateLimit.requests} requests per API key in ${rateLimit.windowSeconds} s`,
      `quotes expire after ${quotes.quoteSeconds} s`,
      `$${Number(unpaidGasLimits.projectUsdE6PerDay) / 1e6} of unpaid gas per project and day, $${Number(unpaidGasLimits.operatorUsdE6PerDay) / 1e6} for all projects`
    ].join("; ")
  )

/** Lists the available and missing parts of the service. `chains` are the chains with configured nodes. */
export const inventory = (
  settings: Settings,
  chains: ReadonlyArray<ChainAtStart>,
  http: HttpSetUp
): ReadonlyArray<InventoryItem> => [
  databaseItem(settings.database),
  ...chains.map(chainItem),
  ...chains.flatMap(contractItems),
  bundlerItem(settings.bundler),
  paymasterItem(settings.paymaster),
  activeItem(
    "webhooks",
    `to public addresses${settings.webhooks.allowPrivateTargets ? " and to private ones" : ""}, ${settings.webhooks.timeoutMs} ms timeout`
  ),
  mailItem(settings.mail),
  activeItem(
    "workers",
    "track operations, resend operator transactions, deliver webhooks, send tax exports, index pool events, delete data after its retention period"
  ),
  limitsItem(settings, http),
  activeItem(
    "browsers",
    http.corsOrigins.length === 0
      ? "web pages of other origins may not call the API (CORS_ORIGINS is not set)"
      : http.corsOrigins.join(", ")
  ),
  http.appPage
    ? activeItem("wallet page", "/app, which requires an API key")
    : missingItem("wallet page", "APP_PAGE is false"),
  http.adminConsole === "off"
    ? missingItem("operator's console", "ADMIN_CONSOLE is off")
    : activeItem(
        "operator's console",
        `/admin, ${http.adminConsole === "on" ? "for every client" : "for browsers on this machine"} with an API key`
      ),
  http.hasMetricsToken
    ? activeItem("metrics", "/metrics, for clients that send METRICS_TOKEN")
    : missingItem("metrics", "/metrics is public, because METRICS_TOKEN is not set"),
  ...(http.tracesTo === null ? [] : [activeItem("traces", `to ${http.tracesTo}`)])
]
