import { aHash, anAddress, at } from "../../foundation/primitives/ids.fixture.ts"
import { DecimalString } from "../../foundation/primitives/index.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import type { UnpaidGasEntry } from "./UnpaidGasEntry.ts"

/** Creates an entry of unpaid gas worth $2. */
export const aGasEntry = (fields: Partial<UnpaidGasEntry> = {}): UnpaidGasEntry => ({
  projectId: aProjectId(),
  walletAddress: anAddress(),
  owner: anAddress(),
  chainId: 137,
  wei: 10n ** 15n,
  usd: DecimalString.make("2"),
  cause: "UNPAID_OPERATION",
  at: at(0),
  userOperationHash: aHash(),
  ...fields
})
