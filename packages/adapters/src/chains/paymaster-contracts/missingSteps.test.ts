import { Address } from "@countersign/core/foundation/primitives"
import { assert, describe, it } from "@effect/vitest"
import { deploymentOf } from "../deployments/index.ts"
import { isSetUp, missingSteps, ownedPaymasterDeployment, type PaymasterPlan, type PaymasterState } from "./index.ts"

const address = (digit: string) => Address.make(`0x${digit.repeat(40)}`)
const owner = address("a")
const placement = ownedPaymasterDeployment("0.8", owner)
const tokens = deploymentOf(8453).tokens.filter(({ symbol }) => symbol === "USDC")
const operators = [address("b"), address("c")]

const plan: PaymasterPlan = {
  chainId: 8453,
  version: "0.8",
  address: placement.address,
  owner,
  signer: address("d"),
  treasury: address("e"),
  operators,
  tokens
}

const newPaymaster: PaymasterState = {
  hasCode: false,
  codeMatches: false,
  ownerIsAdmin: null,
  signerIsListed: false,
  unlistedOperators: operators,
  unapprovedTokens: tokens,
  deposit: 0n,
  maxFeePerGas: 1n
}

/** The chain's states after each step, which are also the states after an interrupted run. */
const deployedPaymaster = { ...newPaymaster, hasCode: true, codeMatches: true, ownerIsAdmin: true }
const paymasterWithSigner = { ...deployedPaymaster, signerIsListed: true }
const partlyListed = { ...paymasterWithSigner, unlistedOperators: [operators[1]!] }
const paymasterWithOperators = { ...paymasterWithSigner, unlistedOperators: [] }
const approvedPaymaster = { ...paymasterWithOperators, unapprovedTokens: [] }

const words = (state: PaymasterState) =>
  missingSteps(plan, state, placement).map(({ sender, description }) => `${sender}: ${description}`)

describe("missingSteps", () => {
  it("are the remaining steps after an interrupted run", () => {
    const allWords = words(newPaymaster)
    assert.deepStrictEqual(allWords, [
      `owner: deploy the contract at ${placement.address}`,
      `owner: add the signer ${plan.signer}`,
      `owner: list the operators ${operators.join(", ")}`,
      `treasury: approve USDC for refunds by the treasury ${plan.treasury}`
    ])
    assert.deepStrictEqual(
      [deployedPaymaster, paymasterWithSigner, paymasterWithOperators, approvedPaymaster].map(words),
      [allWords.slice(1), allWords.slice(2), allWords.slice(3), []]
    )
    assert.deepStrictEqual(words(partlyListed), [`owner: list the operators ${operators[1]}`, allWords[3]!])
    assert.deepStrictEqual(
      [newPaymaster, deployedPaymaster, paymasterWithSigner, paymasterWithOperators, approvedPaymaster].map(isSetUp),
      [false, false, false, false, true]
    )
  })
})

describe("ownPlacement", () => {
  it("depends only on the owner and the EntryPoint", () => {
    const addresses = [
      placement,
      ownedPaymasterDeployment("0.7", owner),
      ownedPaymasterDeployment("0.8", address("b"))
    ].map((own) => own.address)
    assert.strictEqual(new Set(addresses).size, 3)
  })
})
