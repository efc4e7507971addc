import type { Address } from "@countersign/core/foundation/primitives"
import { type BlockRange, RangeRefused } from "@countersign/core/trading/pools"
import type { Touch } from "@countersign/core/wallets/chain-activity"
import { JsonRpcError } from "../evm/index.ts"

/**
 * Maximum number of balance comparisons per request for more than one block. Above it the caller must use smaller
 * ranges, so that a response arrives within one poll.
 */
const MAX_COMPARISONS = 2_000
const MAX_CHANGES = 50

/**
 * Returns the blocks at which an account's native balance is compared, in order. They are the block before the range,
 * its last block, each block in which the account acted, and the block before that. So an inflow is detected even if an
 * operation in a later block spends it again.
 */
export const comparedBlocks = ({ from, to }: BlockRange, actedIn: Iterable<number>): ReadonlyArray<number> => {
  const blockBefore = from - 1
  const blocks = new Set([blockBefore, to, ...Array.from(actedIn, (block) => [block - 1, block]).flat()])
  return [...blocks].filter((block) => block >= blockBefore).toSorted((a, b) => a - b)
}

interface Balance {
  readonly block: number
  readonly amount: bigint
}

/**
 * Calls `onChange` with each block in which the balance changed. Bisects between consecutive blocks of `compared` with
 * different balances. Does not detect an inflow and an outflow of the same amount between two of these blocks.
 */
export const searchChanges = async (
  nativeBalanceAt: (block: number) => Promise<bigint>,
  compared: ReadonlyArray<number>,
  onChange: (block: number) => void
): Promise<void> => {
  const balanceAt = async (block: number): Promise<Balance> => ({ block, amount: await nativeBalanceAt(block) })
  const searchBetween = async (low: Balance, high: Balance): Promise<void> => {
    if (low.amount === high.amount) return
    if (high.block - low.block === 1) return onChange(high.block)
    const middleBalance = await balanceAt(Math.floor((low.block + high.block) / 2))
    await Promise.all([searchBetween(low, middleBalance), searchBetween(middleBalance, high)])
  }
  const balances = await Promise.all(compared.map(balanceAt))
  await Promise.all(balances.slice(1).map((high, index) => searchBetween(balances[index]!, high)))
}

/**
 * Whether a node has the state of a block. An error response means that the state is pruned. Throws if there is no
 * response.
 */
const hasState = async (nativeBalanceAt: () => Promise<bigint>): Promise<boolean> => {
  try {
    await nativeBalanceAt()
    return true
  } catch (thrown) {
    if (thrown instanceof JsonRpcError) return false
    throw thrown
  }
}

/**
 * Finds the first block from `from` to `to` whose state the nodes have; null if they have none. Uses bisection, because
 * nodes prune the oldest state first.
 */
export const firstWithState = async (
  nativeBalanceAt: (block: number) => Promise<bigint>,
  { from, to }: BlockRange
): Promise<number | null> => {
  if (await hasState(() => nativeBalanceAt(from))) return from
  if (!(await hasState(() => nativeBalanceAt(to)))) return null
  let [blockWithoutState, blockWithState] = [from, to]
  while (blockWithState - blockWithoutState > 1) {
    const middleBlock = Math.floor((blockWithoutState + blockWithState) / 2)
    if (await hasState(() => nativeBalanceAt(middleBlock))) blockWithState = middleBlock
    else blockWithoutState = middleBlock
  }
  return blockWithState
}

/**
 * Finds the blocks of a range in which the native balances of accounts changed, as far back as the nodes have the
 * state. Also compares the balances around the accounts' user operations. Throws `RangeRefused` if a range of several
 * blocks needs more than `MAX_COMPARISONS` or has more than `MAX_CHANGES`.
 */
export const balanceChanges = async (
  nativeBalanceAt: (account: Address, block: number) => Promise<bigint>,
  accounts: ReadonlyArray<Address>,
  range: BlockRange,
  touches: ReadonlyArray<Touch>
): Promise<ReadonlyArray<number>> => {
  const [firstAccount] = accounts
  if (firstAccount === undefined) return []
  const blockBefore = Math.max(0, range.from - 1)
  const firstBlock = await firstWithState((block) => nativeBalanceAt(firstAccount, block), {
    from: blockBefore,
    to: range.to
  })
  if (firstBlock === null) return []
  const searchedRange = { from: firstBlock + 1, to: range.to }
  const operations = Map.groupBy(
    touches.filter(({ token }) => token === null),
    ({ account }) => account
  )
  const comparedByAccount = accounts.map((account) =>
    comparedBlocks(
      searchedRange,
      (operations.get(account) ?? []).map(({ blockNumber }) => blockNumber)
    )
  )
  const requireAtMost = (count: number, maxCount: number, what: string) => {
    if (count > maxCount && range.from < range.to) throw new RangeRefused({ reason: `more than ${maxCount} ${what}` })
  }
  requireAtMost(comparedByAccount.flat().length, MAX_COMPARISONS, "balances to compare")
  const changedBlocks = new Set<number>()
  const onChange = (block: number) => {
    changedBlocks.add(block)
    requireAtMost(changedBlocks.size, MAX_CHANGES, "blocks with a balance change")
  }
  await Promise.all(
    accounts.map((account, index) =>
      searchChanges((block) => nativeBalanceAt(account, block), comparedByAccount[index]!, onChange)
    )
  )
  return [...changedBlocks]
}
