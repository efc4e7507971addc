/** Solidity code that the routers of this folder share, and an executor for the routes of KyberSwap and Velora. */
export const routerPartsSource = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.19;

interface IToken {
    function balanceOf(address owner) external view returns (uint256);
    function approve(address spender, uint256 amount) external returns (bool);
}

contract Paying {
    address internal constant COIN = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    receive() external payable {}

    function _called(address target, uint256 value, bytes memory data) internal {
        (bool success, bytes memory answer) = target.call{value: value}(data);
        if (!success) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
    }

    function _taken(address token, address from, address to, uint256 amount) internal {
        (bool success, bytes memory answer) =
            token.call(abi.encodeWithSignature("transferFrom(address,address,uint256)", from, to, amount));
        require(success && (answer.length == 0 || abi.decode(answer, (bool))), "TRANSFER_FROM_FAILED");
    }

    function _paid(address token, address to, uint256 amount) internal {
        if (_isCoin(token)) _called(to, amount, "");
        else {
            (bool success, bytes memory answer) =
                token.call(abi.encodeWithSignature("transfer(address,uint256)", to, amount));
            require(success && (answer.length == 0 || abi.decode(answer, (bool))), "TRANSFER_FAILED");
        }
    }

    function _held(address token, address owner) internal view returns (uint256) {
        return _isCoin(token) ? owner.balance : IToken(token).balanceOf(owner);
    }

    function _isCoin(address token) internal pure returns (bool) {
        return token == address(0) || token == COIN;
    }
}

contract Executing is Paying {
    struct Call {
        address target;
        uint256 value;
        bytes data;
    }

    function _executed(bytes calldata route) internal {
        (uint256 deadline, Call[] memory calls) = abi.decode(route, (uint256, Call[]));
        require(block.timestamp <= deadline, "Router: Expired");
        for (uint256 i; i < calls.length; ++i) _called(calls[i].target, calls[i].value, calls[i].data);
    }
}

contract RouteExecutor is Executing {
    // KyberSwap's router calls this selector.
    function callBytes(bytes calldata route) external payable {
        _executed(route);
    }

    // Augustus calls the executor with an empty selector, followed by the route, the amount and the sender.
    fallback() external payable {
        _executed(msg.data[4:]);
    }
}
`
