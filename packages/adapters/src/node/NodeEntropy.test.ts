import { entropyContract } from "@countersign/core/contracts/primitives/Entropy"
import { NodeEntropy } from "./index.ts"

entropyContract("Node", NodeEntropy.layer)
