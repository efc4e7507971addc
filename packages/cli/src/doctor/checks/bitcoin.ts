import { CoreChain, EsploraChain, type HostTip, hostTips } from "@countersign/adapters/chains/bitcoin"
import { BitcoinChain } from "@countersign/core/bitcoin/chain"
import { decimalFromBaseUnits } from "@countersign/core/foundation/primitives"
import { Clock, Effect, Layer } from "effect"
import { type Finding, ok, waiting } from "../Finding.ts"
import { countText } from "../words.ts"
import type { Configuration } from "./configuration.ts"

interface HostState {
  readonly host: string
  /** The last block that the server returns; null if it returns none. */
  readonly tip: HostTip | null
  readonly reason: string | null
}

interface TargetFee {
  /** The confirmation target. */
  readonly blocks: number
  /** In satoshis per 1,000 virtual bytes. */
  readonly rate: bigint
}

interface BitcoinState {
  readonly hosts: ReadonlyArray<HostState>
  /** Null if no server returns a fee rate. */
  readonly fee: TargetFee | null
  readonly feeReason: string | null
  readonly nowMs: number
  /** Whether the chain is the sandbox's regtest chain, which mines a block only for a transaction. */
  readonly isRegtest: boolean
}

const HOST_TIMEOUT_MS = 1_800

export const observeBitcoin = Effect.fnUntraced(function* ({ sandboxHome, settings }: Configuration) {
  const { coreUrls = [], esploraUrls = [] } = settings.bitcoin ?? {}
  const source = Layer.provide(CoreChain.layer({ urls: coreUrls }), EsploraChain.layer({ urls: esploraUrls }))
  const rates = Effect.provide(
    Effect.flatMap(BitcoinChain, ({ feeRates }) => feeRates),
    source
  )
  const fees = rates.pipe(
    Effect.map((ratesByBlocks) => {
      const blocks = ratesByBlocks.has(2) ? 2 : Math.min(...ratesByBlocks.keys())
      const rate = ratesByBlocks.get(blocks)
      return rate === undefined
        ? { fee: null, feeReason: "the servers return no fee rates" }
        : { fee: { blocks, rate }, feeReason: null }
    }),
    Effect.catch(({ message }) => Effect.succeed({ fee: null, feeReason: message }))
  )
  const isConfigured = esploraUrls.length + coreUrls.length > 0
  const noFees = Effect.succeed({ fee: null, feeReason: null })
  const [hosts, feeState] = yield* Effect.all(
    [hostTips({ esploraUrls, coreUrls, timeoutMs: HOST_TIMEOUT_MS }), isConfigured ? fees : noFees],
    { concurrency: "unbounded" }
  )
  return { hosts, ...feeState, nowMs: yield* Clock.currentTimeMillis, isRegtest: sandboxHome !== null }
})

/**
 * Tolerance, because servers get blocks at different times. A server that is further behind has stopped, or follows
 * another fork.
 */
const MAX_BLOCKS_BEHIND = 2
/** The average block time is ten minutes. A pause of two hours occurs about once in three years. */
const MAX_PAUSE_MS = 7_200_000

const details = {
  waitsFor: "an up-to-date response of this server",
  byItself:
    "The service uses the next server for balances and payments of Bitcoin addresses. Operations on other chains do not need this server.",
  whatToDo:
    "Check that this machine can reach the server and that the server is synchronized, or set another server in ESPLORA_URLS or BITCOIN_RPC_URLS."
}

const REGTEST_NOTE =
  "; it is a regtest chain whose addresses have the format of mainnet: do not send real bitcoins to them"

const hostFinding = ({ host, reason, tip }: HostState, highestBlock: number, state: BitcoinState): Finding => {
  const subject = `Bitcoin by ${host}`
  if (tip === null) return waiting(subject, `does not respond: ${reason}`, details)
  const blocksBehind = highestBlock - tip.height
  const pauseMs = state.nowMs - (tip.minedAtMs ?? state.nowMs)
  const isOnFork = state.hosts.some((other) => other.tip?.height === tip.height && other.tip.hash !== tip.hash)
  if (blocksBehind > MAX_BLOCKS_BEHIND) {
    const text = `is at block ${tip.height}, ${blocksBehind} blocks behind another server, so its balances are outdated`
    return waiting(subject, text, details)
  }
  if (isOnFork) return waiting(subject, `returns a different block ${tip.height} than another server`, details)
  if (!state.isRegtest && pauseMs > MAX_PAUSE_MS) {
    return waiting(subject, `is at block ${tip.height}, mined ${Math.floor(pauseMs / 60_000)} minutes ago`, details)
  }
  return ok(subject, `responds; the latest block is ${tip.height}${state.isRegtest ? REGTEST_NOTE : ""}`)
}

const feeFinding = ({ fee, feeReason }: BitcoinState): Finding =>
  fee === null
    ? waiting("Bitcoin fees", `are unknown: ${feeReason}`, {
        ...details,
        waitsFor: "a server that returns fee rates"
      })
    : ok(
        "Bitcoin fees",
        `inclusion within ${countText(fee.blocks, "block")} costs ${decimalFromBaseUnits(fee.rate, 3)} sat/vB`
      )

/** Reports whether each Bitcoin server responds and is up to date, whether the servers agree, and the fee rates. */
export const diagnoseBitcoin = (state: BitcoinState | null): ReadonlyArray<Finding> => {
  if (state === null || state.hosts.length === 0) return []
  const highestBlock = Math.max(...state.hosts.map(({ tip }) => tip?.height ?? 0))
  return [...state.hosts.map((host) => hostFinding(host, highestBlock, state)), feeFinding(state)]
}
