import { Address, Hash32 } from "@countersign/core/foundation/primitives"
import { RangeRefused } from "@countersign/core/trading/pools"
import type { Touch } from "@countersign/core/wallets/chain-activity"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { HostFailure } from "../../outbound/json-api/index.ts"
import { JsonRpcError } from "../evm/index.ts"
import { balanceChanges, comparedBlocks, firstWithState, searchChanges } from "./balanceChanges.ts"

/** A chain with the account's balance after each block. It records the requests. */
const chainWithBalances = async (balances: ReadonlyArray<number>, actedIn: ReadonlyArray<number> = []) => {
  const blocks: Array<number> = []
  let requests = 0
  const nativeTokenAt = async (block: number) => {
    requests += 1
    return BigInt(balances[block]!)
  }
  const blocksToCompare = comparedBlocks({ from: 1, to: balances.length - 1 }, actedIn)
  await searchChanges(nativeTokenAt, blocksToCompare, (block) => blocks.push(block))
  return { foundBlocks: blocks.toSorted((a, b) => a - b), requests }
}

const changesIn = (balances: ReadonlyArray<number>): ReadonlyArray<number> =>
  balances.flatMap((balance, block) => (block > 0 && balance !== balances[block - 1] ? [block] : []))

describe("the blocks that are compared", () => {
  it("are the ends of the range and the blocks around the account's operations, without duplicates", () => {
    assert.deepStrictEqual(comparedBlocks({ from: 10, to: 20 }, []), [9, 20])
    assert.deepStrictEqual(comparedBlocks({ from: 10, to: 20 }, [15, 16, 10]), [9, 10, 14, 15, 16, 20])
    assert.deepStrictEqual(comparedBlocks({ from: 1, to: 5 }, [0]), [0, 5])
    assert.deepStrictEqual(comparedBlocks({ from: 3, to: 3 }, [3]), [2, 3])
  })
})

describe("the search for balance changes", () => {
  it("makes two requests for a range of any length without a change", async () => {
    const { foundBlocks, requests } = await chainWithBalances(new Array(100_000).fill(7))
    assert.deepStrictEqual([foundBlocks, requests], [[], 2])
  })

  it("finds one change in 100,000 blocks with 19 requests", async () => {
    const balances = Array.from({ length: 100_000 }, (_, block) => (block < 77_777 ? 0 : 5))
    const { foundBlocks, requests } = await chainWithBalances(balances)
    assert.deepStrictEqual(foundBlocks, [77_777])
    assert.isAtMost(requests, 19)
  })

  it("finds a payment that an operation forwarded, although the balance is unchanged", async () => {
    const balances = [0, 0, 5, 5, 5, 0, 0, 0]
    assert.deepStrictEqual((await chainWithBalances(balances)).foundBlocks, [])
    assert.deepStrictEqual((await chainWithBalances(balances, [5])).foundBlocks, [2, 5])
  })

  const balancesOfBlocks = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 }))).check(
    Schema.isMinLength(2),
    Schema.isMaxLength(200)
  )

  it.effect.prop("finds each change of a balance that only increases", { steps: balancesOfBlocks }, ({ steps }) =>
    Effect.promise(async () => {
      let balance = 0
      const balances = steps.map((step) => {
        balance += step
        return balance
      })
      assert.deepStrictEqual((await chainWithBalances(balances)).foundBlocks, changesIn(balances))
    })
  )

  it.effect.prop("finds no change where there is none", { balances: balancesOfBlocks }, ({ balances }) =>
    Effect.promise(async () => {
      const { foundBlocks } = await chainWithBalances(balances)
      assert.includeMembers([...changesIn(balances)], foundBlocks)
    })
  )

  it.effect.prop(
    "finds every change if the account acted in each block with a change",
    { balances: balancesOfBlocks },
    ({ balances }) =>
      Effect.promise(async () => {
        const changes = changesIn(balances)
        assert.deepStrictEqual((await chainWithBalances(balances, changes)).foundBlocks, changes)
      })
  )

  it("fails if the node does not return a balance", async () => {
    const failure = await searchChanges(
      () => Promise.reject(new Error("no state")),
      [0, 9],
      () => assert.fail("the search returned a result")
    ).catch((thrown: unknown) => thrown)
    assert.instanceOf(failure, Error)
  })
})

describe("the first block with state", () => {
  const range = { from: 10, to: 90 }
  const keptFrom = (first: number) => async (block: number) => {
    if (block < first) throw new JsonRpcError(-32_000, "missing trie node", undefined)
    return 0n
  }

  it("is the first block whose state the nodes have", async () => {
    for (const firstBlock of [10, 11, 42, 89, 90])
      assert.strictEqual(await firstWithState(keptFrom(firstBlock), range), firstBlock)
    assert.strictEqual(await firstWithState(keptFrom(0), range), 10)
    assert.strictEqual(await firstWithState(keptFrom(91), range), null)
  })
})

describe("the blocks with changes of native balances", () => {
  const [alice, bob] = ["a", "b"].map((digit) => Address.make(`0x${digit.repeat(40)}`)) as [Address, Address]
  const hash = Hash32.make(`0x${"1".repeat(64)}`)
  const operationOf = (account: Address, blockNumber: number): Touch => ({
    transactionHash: hash,
    blockNumber,
    blockHash: hash,
    account,
    token: null,
    nativeToken: null
  })
  const range = { from: 1, to: 100 }
  const failure = (looking: Promise<unknown>) => looking.catch((thrown: unknown) => thrown)

  it("include the changes of each account, without duplicates", async () => {
    const nativeTokenAt = async (account: Address, block: number) => (block < (account === alice ? 50 : 70) ? 0n : 1n)
    const balanceAt = async (_: Address, block: number) => (block < 50 ? 0n : 1n)
    const sortedChanges = async (of: typeof nativeTokenAt) =>
      (await balanceChanges(of, [alice, bob], range, [])).toSorted()
    assert.deepStrictEqual([await sortedChanges(nativeTokenAt), await sortedChanges(balanceAt)], [[50, 70], [50]])
  })

  it("are detected by an account's own operations, not by those of another account", async () => {
    const nativeTokenAt = async (_: Address, block: number) => (block >= 20 && block < 30 ? 1n : 0n)
    const changesOf = (account: Address) => balanceChanges(nativeTokenAt, [alice], range, [operationOf(account, 30)])
    assert.deepStrictEqual((await changesOf(alice)).toSorted(), [20, 30])
    assert.deepStrictEqual(await changesOf(bob), [])
  })

  it("are empty if the node has no state, and unknown if the node does not respond", async () => {
    const prunedBalance = async (): Promise<bigint> => {
      throw new JsonRpcError(-32_000, "missing trie node", undefined)
    }
    assert.deepStrictEqual(await balanceChanges(prunedBalance, [alice], range, []), [])
    const downNode = async (): Promise<bigint> => {
      throw new HostFailure("it does not respond")
    }
    assert.instanceOf(await failure(balanceChanges(downNode, [alice], range, [])), HostFailure)
    // A node that has the state before the range, but not yet the end of the range.
    const onlyGenesisBalance = async (_: Address, block: number): Promise<bigint> =>
      block === 0 ? 0n : prunedBalance()
    assert.instanceOf(await failure(balanceChanges(onlyGenesisBalance, [alice], range, [])), JsonRpcError)
    // A node that has pruned the state of the first 40 blocks.
    const prunedBefore40 = async (_: Address, block: number) => (block < 40 ? prunedBalance() : block < 70 ? 0n : 1n)
    assert.deepStrictEqual(await balanceChanges(prunedBefore40, [alice], range, [operationOf(alice, 20)]), [70])
    assert.deepStrictEqual(await balanceChanges(downNode, [], range, []), [])
  })

  it("are read in smaller ranges if there are many, down to a single block", async () => {
    const growingBalance = async (_: Address, block: number) => BigInt(block)
    assert.instanceOf(await failure(balanceChanges(growingBalance, [alice], range, [])), RangeRefused)
    assert.lengthOf(await balanceChanges(growingBalance, [alice], { from: 1, to: 50 }, []), 50)
    const manyAccounts = Array.from({ length: 2_000 }, (_, index) =>
      Address.make(`0x${String(index).padStart(40, "0")}`)
    )
    assert.instanceOf(await failure(balanceChanges(async () => 0n, manyAccounts, range, [])), RangeRefused)
    assert.deepStrictEqual(await balanceChanges(growingBalance, manyAccounts, { from: 7, to: 7 }, []), [7])
  })
})
