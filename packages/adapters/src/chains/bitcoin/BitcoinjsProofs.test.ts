import { bitcoinProofsContract } from "@countersign/core/contracts/bitcoin/chain/BitcoinProofs"
import { BitcoinjsProofs } from "./index.ts"

bitcoinProofsContract("bitcoinjs-lib", BitcoinjsProofs.layer)
