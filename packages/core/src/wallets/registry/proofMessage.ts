import type { BitcoinAddress } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"

/**
 * Returns the message that the owner of a Bitcoin address signs. It contains the project, so that other projects can't
 * use the proof.
 */
export const proofMessage = (projectId: ProjectId, address: BitcoinAddress): string =>
  `Countersign project ${projectId} registers Bitcoin address ${address}`
