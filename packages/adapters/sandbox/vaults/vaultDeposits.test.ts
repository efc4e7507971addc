import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { close, listen } from "../../test/support/localServer.ts"
import { VaultDeposits } from "./VaultDeposits.ts"

const VAULT = "vault"
const PAGE = 25

const transaction = (id: number, confirmed = true) => ({
  txid: String(id).padStart(64, "0"),
  vin: [{ prevout: { scriptpubkey: "00", scriptpubkey_address: `payer ${id}`, value: 2_000 } }],
  vout: [
    { scriptpubkey: "00", scriptpubkey_address: VAULT, value: 1_000 + id },
    { scriptpubkey: `6a02${Buffer.from([id, 7]).toString("hex")}`, value: 0 }
  ],
  status: confirmed ? { confirmed, block_time: 5_000 + id } : { confirmed }
})

/** Starts a server with Esplora's API and these transactions of the vault, newest first. */
const esplora = (transactions: ReadonlyArray<ReturnType<typeof transaction>>) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const paths: Array<string> = []
      const minedTransactions = transactions.filter(({ status }) => status.confirmed)
      const server = createServer((request, response) => {
        const path = request.url ?? ""
        paths.push(path)
        const afterTxid = /\/txs\/chain\/(\d+)$/u.exec(path)?.[1]
        const startIndex =
          afterTxid === undefined ? 0 : minedTransactions.findIndex(({ txid }) => txid === afterTxid) + 1
        const waitingTransactions =
          afterTxid === undefined ? transactions.filter(({ status }) => !status.confirmed) : []
        response.end(
          JSON.stringify([...waitingTransactions, ...minedTransactions.slice(startIndex, startIndex + PAGE)])
        )
      })
      yield* listen(server)
      return { server, paths, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    }),
    ({ server }) => close(server)
  )

describe("Deposits at a vault", () => {
  it.live("are read page by page, until a page has no open deposit", () =>
    Effect.gen(function* () {
      const allTransactions = [transaction(99, false), ...Array.from({ length: 60 }, (_, i) => transaction(60 - i))]
      const { paths, url } = yield* esplora(allTransactions)
      const deposits = new VaultDeposits(VAULT)
      const readDeposits = (hasEnded: (txid: string) => boolean) => Effect.promise(() => deposits.read(url, hasEnded))
      assert.lengthOf(yield* readDeposits(() => false), 61)
      assert.lengthOf(paths, 3)
      assert.deepInclude(deposits.get(transaction(7).txid), {
        from: "payer 7",
        satoshis: 1_007n,
        data: Uint8Array.from([7, 7]),
        blockSeconds: 5_007
      })
      assert.isNull(deposits.get(transaction(99).txid)?.blockSeconds)
      // Only the first page contains an open deposit, so reading stops at the second page.
      const openDeposits = yield* readDeposits((txid) => txid !== transaction(99).txid)
      assert.deepStrictEqual(
        openDeposits.map(({ satoshis }) => satoshis),
        [1_099n]
      )
      assert.lengthOf(paths, 5)
    }).pipe(Effect.scoped)
  )

  it.live("do not include the vault's own payments, or payments in another output", () =>
    Effect.gen(function* () {
      const ownTransaction = {
        ...transaction(1),
        vin: [{ prevout: { scriptpubkey: "00", scriptpubkey_address: VAULT, value: 5 } }]
      }
      const secondTransaction = { ...transaction(2), vout: transaction(2).vout.toReversed() }
      const { url } = yield* esplora([ownTransaction, secondTransaction])
      assert.deepStrictEqual(yield* Effect.promise(() => new VaultDeposits(VAULT).read(url, () => false)), [])
    }).pipe(Effect.scoped)
  )
})
