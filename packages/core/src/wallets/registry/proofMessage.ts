import type { BitcoinAddress } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"

/** What the owner of a Bitcoin address signs. It names the project, so that a proof is of no use to another. */
export const proofMessage = (projectId: ProjectId, address: BitcoinAddress): string =>
  `Countersign project ${projectId} registers Bitcoin address ${address}`
