/**
 * LI.FI's contracts, based on lifinance/contracts, reimplemented because they are not on npm. They contain the
 * functions and checks of GenericSwapFacetV3, AcrossFacetV4 and ChainflipFacet (only to Bitcoin), an exchange that
 * executes the calls of a route, and the fee forwarder. Events, the diamond and the owner are omitted. The file also
 * contains the deposit functions and events of Chainflip's Vault (chainflip-io/chainflip-eth-contracts).
 */
export const lifiSource = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.19;

import {Executing, Paying} from "RouterParts.sol";

interface IChainflipVault {
    function xSwapNative(uint32 dstChain, bytes calldata dstAddress, uint32 dstToken, bytes calldata cfParameters)
        external payable;
    function xSwapToken(
        uint32 dstChain, bytes calldata dstAddress, uint32 dstToken, address srcToken, uint256 amount, bytes calldata cfParameters
    ) external;
}

contract ChainflipVault is Paying {
    event SwapNative(
        uint32 dstChain, bytes dstAddress, uint32 dstToken, uint256 amount, address indexed sender, bytes cfParameters
    );
    event SwapToken(
        uint32 dstChain, bytes dstAddress, uint32 dstToken, address srcToken, uint256 amount, address indexed sender,
        bytes cfParameters
    );

    function xSwapNative(uint32 dstChain, bytes calldata dstAddress, uint32 dstToken, bytes calldata cfParameters)
        external payable
    {
        require(msg.value > 0, "Shared: uint input is empty");
        emit SwapNative(dstChain, dstAddress, dstToken, msg.value, msg.sender, cfParameters);
    }

    function xSwapToken(
        uint32 dstChain, bytes calldata dstAddress, uint32 dstToken, address srcToken, uint256 amount, bytes calldata cfParameters
    ) external {
        require(amount > 0, "Shared: uint input is empty");
        _taken(srcToken, msg.sender, address(this), amount);
        emit SwapToken(dstChain, dstAddress, dstToken, srcToken, amount, msg.sender, cfParameters);
    }
}

contract LiFiDiamond is Paying {
    struct SwapData {
        address callTo;
        address approveTo;
        address sendingAssetId;
        address receivingAssetId;
        uint256 fromAmount;
        bytes callData;
        bool requiresDeposit;
    }

    struct BridgeData {
        bytes32 transactionId;
        string bridge;
        string integrator;
        address referrer;
        address sendingAssetId;
        address receiver;
        uint256 minAmount;
        uint256 destinationChainId;
        bool hasSourceSwaps;
        bool hasDestinationCall;
    }

    struct AcrossV4Data {
        bytes32 receiverAddress;
        bytes32 refundAddress;
        bytes32 sendingAssetId;
        bytes32 receivingAssetId;
        uint256 outputAmount;
        uint128 outputAmountMultiplier;
        bytes32 exclusiveRelayer;
        uint32 quoteTimestamp;
        uint32 fillDeadline;
        uint32 exclusivityParameter;
        bytes message;
    }

    struct ChainflipData {
        bytes nonEVMReceiver;
        uint32 dstToken;
        address dstCallReceiver;
        SwapData[] dstCallSwapData;
        uint256 gasAmount;
        bytes cfParameters;
    }

    struct Deposit {
        bytes32 depositor;
        bytes32 recipient;
        bytes32 inputToken;
        bytes32 outputToken;
        uint256 inputAmount;
        uint256 outputAmount;
        uint256 destinationChainId;
        bytes32 exclusiveRelayer;
        uint32 quoteTimestamp;
        uint32 fillDeadline;
        uint32 exclusivityParameter;
        bytes message;
    }

    bytes4 internal constant DEPOSIT = bytes4(
        keccak256("deposit(bytes32,bytes32,bytes32,bytes32,uint256,uint256,uint256,bytes32,uint32,uint32,uint32,bytes)")
    );

    error CumulativeSlippageTooHigh(uint256 minAmount, uint256 receivedAmount);
    error ContractCallNotAllowed();
    error InformationMismatch();
    error InvalidReceiver();
    error EmptyNonEvmAddress();
    error UnsupportedChainflipChainId();

    address internal constant NON_EVM_ADDRESS = 0x11f111f111f111F111f111f111F111f111f111F1;
    uint256 internal constant BITCOIN = 20000000000001;
    uint32 internal constant CHAINFLIP_BITCOIN = 3;

    address internal immutable spokePool;
    address internal immutable wrappedNative;
    address internal immutable exchange;
    address internal immutable feeForwarder;
    IChainflipVault internal immutable chainflipVault;

    constructor(
        address spokePool_, address wrappedNative_, address exchange_, address feeForwarder_, address chainflipVault_
    ) {
        chainflipVault = IChainflipVault(chainflipVault_);
        spokePool = spokePool_;
        wrappedNative = wrappedNative_;
        exchange = exchange_;
        feeForwarder = feeForwarder_;
    }

    function swapTokensSingleV3ERC20ToERC20(
        bytes32, string calldata, string calldata, address payable receiver, uint256 minAmountOut, SwapData calldata step
    ) external {
        _deposit(step);
        _swap(step, receiver);
        _finish(step.receivingAssetId, receiver, minAmountOut);
    }

    function swapTokensSingleV3ERC20ToNative(
        bytes32, string calldata, string calldata, address payable receiver, uint256 minAmountOut, SwapData calldata step
    ) external {
        _deposit(step);
        _swap(step, receiver);
        _finish(address(0), receiver, minAmountOut);
    }

    function swapTokensSingleV3NativeToERC20(
        bytes32, string calldata, string calldata, address payable receiver, uint256 minAmountOut, SwapData calldata step
    ) external payable {
        _swap(step, receiver);
        _finish(step.receivingAssetId, receiver, minAmountOut);
    }

    function swapTokensMultipleV3ERC20ToERC20(
        bytes32, string calldata, string calldata, address payable receiver, uint256 minAmountOut, SwapData[] calldata steps
    ) external {
        _depositAll(steps);
        _swapAll(steps, receiver);
        _finish(steps[steps.length - 1].receivingAssetId, receiver, minAmountOut);
    }

    function swapTokensMultipleV3ERC20ToNative(
        bytes32, string calldata, string calldata, address payable receiver, uint256 minAmountOut, SwapData[] calldata steps
    ) external {
        _depositAll(steps);
        _swapAll(steps, receiver);
        _finish(address(0), receiver, minAmountOut);
    }

    function swapTokensMultipleV3NativeToERC20(
        bytes32, string calldata, string calldata, address payable receiver, uint256 minAmountOut, SwapData[] calldata steps
    ) external payable {
        _swapAll(steps, receiver);
        _finish(steps[steps.length - 1].receivingAssetId, receiver, minAmountOut);
    }

    function startBridgeTokensViaAcrossV4(BridgeData calldata bridge, AcrossV4Data calldata across) external payable {
        if (bridge.hasSourceSwaps) revert InformationMismatch();
        if (bridge.sendingAssetId != address(0)) {
            _taken(bridge.sendingAssetId, msg.sender, address(this), bridge.minAmount);
        }
        _bridge(bridge, across, bridge.minAmount, across.outputAmount);
    }

    function swapAndStartBridgeTokensViaAcrossV4(
        BridgeData calldata bridge, SwapData[] calldata steps, AcrossV4Data calldata across
    ) external payable {
        if (!bridge.hasSourceSwaps) revert InformationMismatch();
        address last = steps[steps.length - 1].receivingAssetId;
        uint256 before = _held(last, address(this)) - (last == address(0) ? msg.value : 0);
        _depositAll(steps);
        _swapAll(steps, payable(msg.sender));
        uint256 received = _held(last, address(this)) - before;
        if (received < bridge.minAmount) revert CumulativeSlippageTooHigh(bridge.minAmount, received);
        _bridge(bridge, across, received, (received * across.outputAmountMultiplier) / 1e18);
    }

    function startBridgeTokensViaChainflip(BridgeData calldata bridge, ChainflipData calldata chainflip) external payable {
        if (bridge.hasSourceSwaps) revert InformationMismatch();
        if (bridge.destinationChainId != BITCOIN || bridge.receiver != NON_EVM_ADDRESS) revert UnsupportedChainflipChainId();
        if (chainflip.nonEVMReceiver.length == 0) revert EmptyNonEvmAddress();
        if (bridge.hasDestinationCall || chainflip.dstCallSwapData.length > 0) revert InformationMismatch();
        if (bridge.sendingAssetId == address(0)) {
            chainflipVault.xSwapNative{value: bridge.minAmount}(
                CHAINFLIP_BITCOIN, chainflip.nonEVMReceiver, chainflip.dstToken, chainflip.cfParameters
            );
            return;
        }
        _taken(bridge.sendingAssetId, msg.sender, address(this), bridge.minAmount);
        _allow(bridge.sendingAssetId, address(chainflipVault), bridge.minAmount);
        chainflipVault.xSwapToken(
            CHAINFLIP_BITCOIN, chainflip.nonEVMReceiver, chainflip.dstToken, bridge.sendingAssetId, bridge.minAmount,
            chainflip.cfParameters
        );
    }

    function _bridge(BridgeData calldata bridge, AcrossV4Data calldata across, uint256 amount, uint256 output) internal {
        if ((across.message.length > 0) != bridge.hasDestinationCall) revert InformationMismatch();
        bytes32 receiver = bytes32(uint256(uint160(bridge.receiver)));
        if (!bridge.hasDestinationCall && receiver != across.receiverAddress) revert InvalidReceiver();
        bool isCoin = bridge.sendingAssetId == address(0);
        if (!isCoin) _allow(bridge.sendingAssetId, spokePool, amount);
        Deposit memory deposit;
        deposit.depositor = across.refundAddress;
        deposit.recipient = across.receiverAddress;
        deposit.inputToken = isCoin ? bytes32(uint256(uint160(wrappedNative))) : across.sendingAssetId;
        deposit.outputToken = across.receivingAssetId;
        deposit.inputAmount = amount;
        deposit.outputAmount = output;
        deposit.destinationChainId = bridge.destinationChainId;
        deposit.exclusiveRelayer = across.exclusiveRelayer;
        deposit.quoteTimestamp = across.quoteTimestamp;
        deposit.fillDeadline = across.fillDeadline;
        deposit.exclusivityParameter = across.exclusivityParameter;
        deposit.message = across.message;
        _send(isCoin ? amount : 0, abi.encode(deposit));
    }

    // A struct is encoded like arguments, but after a word with its offset. The selector overwrites the end of this
    // word.
    function _send(uint256 value, bytes memory encoded) internal {
        address pool = spokePool;
        uint256 selector = uint32(DEPOSIT);
        bool success;
        assembly {
            mstore(add(encoded, 32), selector)
            success := call(gas(), pool, value, add(encoded, 60), sub(mload(encoded), 28), 0, 0)
            if iszero(success) {
                returndatacopy(0, 0, returndatasize())
                revert(0, returndatasize())
            }
        }
    }

    function _deposit(SwapData calldata step) internal {
        _taken(step.sendingAssetId, msg.sender, address(this), step.fromAmount);
    }

    function _depositAll(SwapData[] calldata steps) internal {
        for (uint256 i; i < steps.length; ++i) {
            if (steps[i].requiresDeposit && steps[i].sendingAssetId != address(0)) _deposit(steps[i]);
        }
    }

    function _swapAll(SwapData[] calldata steps, address payable receiver) internal {
        for (uint256 i; i < steps.length; ++i) _swap(steps[i], receiver);
    }

    function _swap(SwapData calldata step, address payable receiver) internal {
        bool isCoin = step.sendingAssetId == address(0);
        if (!_isAllowed(step.callTo) || (!isCoin && !_isAllowed(step.approveTo))) revert ContractCallNotAllowed();
        if (!isCoin) _allow(step.sendingAssetId, step.approveTo, step.fromAmount);
        _called(step.callTo, isCoin ? step.fromAmount : 0, step.callData);
        if (step.sendingAssetId == step.receivingAssetId) return;
        uint256 left = _held(step.sendingAssetId, address(this));
        if (left > 0) _paid(step.sendingAssetId, receiver, left);
    }

    function _isAllowed(address target) internal view returns (bool) {
        return target == exchange || target == feeForwarder;
    }

    function _allow(address token, address spender, uint256 amount) internal {
        (bool success, bytes memory answer) =
            token.call(abi.encodeWithSignature("approve(address,uint256)", spender, amount));
        require(success && (answer.length == 0 || abi.decode(answer, (bool))), "APPROVE_FAILED");
    }

    function _finish(address token, address payable receiver, uint256 minAmountOut) internal {
        uint256 received = _held(token, address(this));
        if (received < minAmountOut) revert CumulativeSlippageTooHigh(minAmountOut, received);
        _paid(token, receiver, received);
    }
}

contract LiFiExchange is Executing {
    function processRoute(
        address tokenIn, uint256 amountIn, address tokenOut, uint256 amountOutMin, address to, bytes calldata route
    ) external payable returns (uint256 amountOut) {
        uint256 before = _held(tokenOut, to);
        if (!_isCoin(tokenIn)) _taken(tokenIn, msg.sender, address(this), amountIn);
        _executed(route);
        amountOut = _held(tokenOut, to) - before;
        require(amountOut >= amountOutMin, "MinimalOutputBalanceViolation");
    }
}

contract LiFiFeeForwarder is Paying {
    struct FeeDistribution {
        address recipient;
        uint256 amount;
    }

    function forwardERC20Fees(address token, FeeDistribution[] calldata distributions) external {
        for (uint256 i; i < distributions.length; ++i) {
            _taken(token, msg.sender, distributions[i].recipient, distributions[i].amount);
        }
    }

    function forwardNativeFees(FeeDistribution[] calldata distributions) external payable {
        for (uint256 i; i < distributions.length; ++i) {
            _paid(address(0), distributions[i].recipient, distributions[i].amount);
        }
        if (address(this).balance > 0) _paid(address(0), msg.sender, address(this).balance);
    }
}
`
