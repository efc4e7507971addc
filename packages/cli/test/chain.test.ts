import { contractsOf } from "@countersign/adapters/chains/chain-contracts"
import { preparationsOf } from "@countersign/adapters/chains/chain-preparation"
import { evmChainIds } from "@countersign/core/foundation/chains"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createPublicClient, createWalletClient, http, parseEther, recoverTransactionAddress, toBytes } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { getContractAddress } from "viem/utils"
import { Countersign } from "../../adapters/src/index.ts"
import { type BareChain, RICH_KEY, startBareChain } from "./support/bareChain.ts"
import { assertCode, jsonOf, removeHome, runHere, startServe, temporaryHome } from "./support/commandLine.ts"

/** Tests the commands that lead from a chain without contracts to the first operation. */

const home = temporaryHome()
const NATIVE_TOKEN = `0x${"e".repeat(40)}`
const OPERATORS = { "0.7": generatePrivateKey(), "0.8": generatePrivateKey() }
let chain: BareChain
beforeAll(async () => {
  chain = await startBareChain(8453)
})
afterAll(async () => {
  await chain.stop()
  removeHome(home)
})

const settings = () => ({ RPC_URL_8453: chain.url, PAYMASTER_OWNER_PRIVATE_KEY: RICH_KEY })
const send = async (to: string, amount: string) => {
  const transport = http(chain.url)
  const wallet = createWalletClient({ account: privateKeyToAccount(RICH_KEY), transport })
  const hash = await wallet.sendTransaction({ to: to as never, value: parseEther(amount), chain: null })
  await createPublicClient({ transport }).waitForTransactionReceipt({ hash, pollingInterval: 20 })
}

it("Each preparation deploys its contract to the address that the service uses", async () => {
  for (const chainId of evmChainIds) {
    const wantedContracts = contractsOf(chainId).filter(({ isDeployableByAnyone }) => isDeployableByAnyone)
    const preparations = preparationsOf(chainId)
    assert.sameMembers(
      preparations.map(({ address }) => address),
      wantedContracts.map(({ address }) => address)
    )
    for (const preparation of preparations) {
      if (preparation._tag !== "Signed") continue
      const from = await recoverTransactionAddress({ serializedTransaction: preparation.transaction as never })
      assert.strictEqual(getContractAddress({ from, nonce: 0n }).toLowerCase(), preparation.address)
    }
  }
})

describe("A bare chain", () => {
  it("is reported with its missing contracts, and who can deploy each", async () => {
    const statusOutcome = await runHere(home, ["chain", "status"], settings())
    assertCode(statusOutcome, 0)
    assert.match(statusOutcome.out, /Multicall3 .* MISSING .*everything.*countersign chain prepare --chain 8453/u)
    assert.match(statusOutcome.out, /Uniswap V3 factory .* MISSING .*only its author/u)
    assert.match(statusOutcome.out, /Missing contracts on Base:\n {2}everything, .* \(no Multicall3\)/u)
  })

  const paymasterSettings = () => ({
    ...settings(),
    PAYMASTER_SIGNER_PRIVATE_KEY: generatePrivateKey(),
    PAYMASTER_TREASURY: `0x${"7".repeat(40)}`,
    OPERATOR_PRIVATE_KEYS_0_7: OPERATORS["0.7"],
    OPERATOR_PRIVATE_KEYS_0_8: OPERATORS["0.8"]
  })

  it("is the cause that `paymaster` reports, instead of its node", async () => {
    for (const words of [["deploy", "--chain", "base"], ["status"]]) {
      const refusal = await runHere(home, ["paymaster", ...words], paymasterSettings())
      assertCode(refusal, 4)
      assert.match(
        refusal.err,
        /Contracts that paymasters need are missing on Base: everything.*Multicall3.*countersign chain prepare/u
      )
    }
  })

  it("is reported by `doctor` and `serve`", async () => {
    const doctorOutcome = await runHere(home, ["doctor", "--json"], paymasterSettings())
    const finding = JSON.parse(doctorOutcome.out).find(
      ({ subject }: { subject: string }) => subject === "Base contracts"
    )
    assert.deepStrictEqual(
      [finding.state, finding.whatToDo],
      ["failing", "Run `countersign chain prepare --chain 8453`. `countersign chain status` shows each contract."]
    )
    const service = await startServe(home, ["--port", "0"], settings())
    const { out } = await service.stop()
    const line = out.split("\n").find((each) => each.includes('"listening"'))!
    assert.match(JSON.parse(line).message[1].lacks["contracts of Base (8453)"], /^missing for everything/u)
  })

  it("needs native tokens for the deployment, or the error names the account and the missing amount", async () => {
    const unfundedKey = generatePrivateKey()
    const refusal = await runHere(home, ["chain", "prepare", "--chain", "base"], {
      ...settings(),
      PAYMASTER_OWNER_PRIVATE_KEY: unfundedKey
    })
    const { address } = privateKeyToAccount(unfundedKey)
    assert.match(
      refusal.err.toLowerCase(),
      new RegExp(`${address.toLowerCase()} has 0 eth on base and needs 0\\.1 eth\\. send 0\\.1 eth more`, "u")
    )
  })

  it("gets the contracts that anyone can deploy, once, and then executes the first operation", async () => {
    const prepareOutcome = await runHere(home, ["chain", "prepare", "--chain", "base", "--json"], settings())
    assertCode(prepareOutcome, 0)
    const { missing, prepared: preparedContracts } = jsonOf(prepareOutcome)
    assert.strictEqual(preparedContracts.length, preparationsOf(8453).length)
    assert.isFalse(missing.some(({ isForAnybody }: { isForAnybody: boolean }) => isForAnybody))
    const secondOutcome = await runHere(home, ["chain", "prepare", "--chain", "8453"], settings())
    assertCode(secondOutcome, 0)
    assert.match(secondOutcome.out, /^All contracts that any account can deploy are already deployed\./u)

    for (const key of Object.values(OPERATORS)) await send(privateKeyToAccount(key).address, "1")
    await using countersign = await Countersign.open({
      database: ":memory:",
      chains: { 8453: { rpcUrl: chain.url } },
      bundler: { operatorKeys: OPERATORS }
    })
    const factories = await countersign.wallets.factories()
    for (const name of ["SimpleAccount 0.7", "SimpleAccount 0.8", "Safe 1.4.1"]) {
      const owner = privateKeyToAccount(generatePrivateKey())
      const factory = factories.find((candidate) => candidate.name.startsWith(name))
      assert.isDefined(factory, `${name} of ${factories.map((each) => each.name).join(", ")}`)
      const wallet = await countersign.wallets.register({
        externallyOwnedAccount: owner.address,
        factory: factory!.factory
      })
      await send(wallet.walletAddress, "1")
      const transfer = await countersign.transfer.quote({
        walletAddress: wallet.walletAddress,
        chainId: 8453,
        token: NATIVE_TOKEN,
        amount: "0.1",
        toAddress: owner.address,
        payGasFeeToken: NATIVE_TOKEN,
        gasFeePaymentMethod: "ADD_TO_AMOUNT"
      })
      assert.isUndefined(transfer.revertReason)
      const [signElement] = transfer.signData
      // biome-ignore lint/suspicious/noExplicitAny: viem and the response have different types for typed data.
      const typedData: any = "typedData" in signElement! ? signElement.typedData : null
      const signature =
        typedData === null
          ? await owner.signMessage({ message: { raw: toBytes(signElement!.hash) } })
          : await owner.signTypedData(typedData)
      const execution = await countersign.execute({
        quoteId: transfer.quoteId,
        signatures: { [signElement!.hash]: signature }
      })
      const { status } = await countersign.wait(execution, { timeoutMs: 120_000 })
      assert.strictEqual(status, "COMPLETED")
    }
  })
})

it("A library on a node of another chain is rejected, and the error names the option and the chain", async () => {
  const openPromise = Countersign.open({ database: ":memory:", chains: { 10: { rpcUrl: chain.url } } })
  const error = await openPromise.then(
    () => assert.fail("it opened"),
    (thrown: { readonly id: string; readonly message: string }) => thrown
  )
  assert.strictEqual(error.id, "OPTION_INVALID")
  assert.match(error.message, /^chains\.10\.rpcUrl: 127\.0\.0\.1:\d+ is a node of chain 8453, and not of OP Mainnet/u)
})

describe("A place that can't be written", () => {
  it.each(["/proc/nowhere/at/all", "/etc/hostname/inside"])("is named in the error: %s", async (folder) => {
    for (const words of [
      ["serve", "--port", "0"],
      ["project", "list"]
    ]) {
      const refusal = await runHere(folder, words, settings())
      assertCode(refusal, 2)
      assert.match(
        refusal.err,
        /^The folder \S+ can't be written \(E\w+\)\. Set COUNTERSIGN_HOME to a writable folder, /u
      )
    }
  })
})
