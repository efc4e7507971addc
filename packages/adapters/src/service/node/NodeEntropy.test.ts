import { entropyContract } from "@countersign/core/contracts/foundation/primitives/Entropy"
import { NodeEntropy } from "./index.ts"

entropyContract("Node", NodeEntropy.layer)
