#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""sass.py and the verdicts of check_device_code.py, on machine code written down here; needs no CUDA."""
import unittest

import check_device_code
import sass

BASE = 0x380


def text(*lines):
    return "\n".join(f"        /*{16 * i:04x}*/    {line} ;   /* 0x0 */" for i, line in enumerate(lines))


def found(*lines):
    return [(sorted(offsets), bits) for offsets, bits, _ in sass.loads(sass.instructions(text(*lines)), BASE)]


class Loads(unittest.TestCase):
    def test_an_address_is_followed_through_arithmetic_and_both_register_files(self):
        self.assertEqual(found("LDCU.64 UR4, c[0x0][0x3a8]", "S2R R0, SR_TID.X", "LEA R2, P0, R0, UR4, 0x2",
                               "LEA.HI.X R3, R0, UR5, RZ, 0x2, P0", "LDG.E.128 R8, desc[UR6][R2.64+0x10]", "EXIT"),
                         [([40], 128)])
        self.assertEqual(found("IMAD.WIDE.U32 R2, R0, R1, c[0x0][0x3a8]", "LDG.E.U16 R8, [R2.64]", "EXIT"), [([40], 16)])

    def test_what_was_loaded_is_no_pointer_of_the_parameter(self):
        self.assertEqual(found("LDC.64 R2, c[0x0][0x3a8]", "LDG.E R2, desc[UR6][R2.64]", "LDC.64 R4, c[0x0][0x3b0]",
                               "IADD3 R4, P0, PT, R4, R2, RZ", "LDG.E R6, desc[UR6][R4.64]", "EXIT"),
                         [([40], 32), ([48], 32)])

    def test_a_loop_brings_back_what_its_end_wrote(self):
        self.assertEqual(found("LDC.64 R2, c[0x0][0x3b0]", "LDG.E.64 R8, desc[UR6][R2.64]", "LDC.64 R2, c[0x0][0x3a8]",
                               "@P0 BRA 0x10", "EXIT"), [([40, 48], 64)])

    def test_a_branch_with_a_predicate_behind_it_may_go_on(self):
        self.assertEqual(found("LDC.64 R2, c[0x0][0x3a8]", "BRA.U !UP0, 0x30", "LDG.E R8, desc[UR6][R2.64]", "EXIT"),
                         [([40], 32)])

    def test_a_write_under_a_predicate_keeps_the_old_value_but_for_readers_under_it(self):
        start = ("LDC.64 R2, c[0x0][0x3a8]", "@!P0 LDC.64 R2, c[0x0][0x3b0]")
        self.assertEqual(found(*start, "@!P0 LDG.E R8, desc[UR6][R2.64]", "EXIT"), [([48], 32)])
        self.assertEqual(found(*start, "LDG.E R8, desc[UR6][R2.64]", "EXIT"), [([40, 48], 32)])
        self.assertEqual(found(*start, "ISETP.NE.AND P0, PT, R5, RZ, PT", "@!P0 LDG.E R8, desc[UR6][R2.64]", "EXIT"),
                         [([40, 48], 32)])

    def test_a_load_that_no_way_leads_to_is_an_error(self):
        with self.assertRaises(ValueError):
            found("EXIT", "LDG.E R8, desc[UR6][R2.64]")


class Verdicts(unittest.TestCase):
    def problems(self, *lines):
        return check_device_code.kernel_problems(text(*lines), BASE, check_device_code.STORE)[0]

    def test_only_kernels_whose_row_loads_are_all_wide_pass(self):
        pointer, wide = "LDC.64 R2, c[0x0][0x3a8]", "LDG.E.128 R8, desc[UR6][R2.64]"
        self.assertEqual(self.problems(pointer, wide, "EXIT"), [])
        self.assertEqual(self.problems(pointer, wide, "LDG.E R4, desc[UR6][R2.64+0x10]", "EXIT"),
                         ["1 loads of rows are 32 bits wide"])
        self.assertEqual(self.problems(pointer, "EXIT"), ["no 128-bit load of rows was found"])
        self.assertIn("spilled", self.problems(pointer, "STL [R1], R2", wide, "EXIT")[0])
        self.assertEqual(self.problems(pointer, wide, "LDC.64 R4, c[0x0][0x3b8]", "LDG.E.64 R6, desc[UR6][R4.64]", "EXIT"),
                         ["1 loads of class sums are 64 bits wide"])


if __name__ == "__main__":
    unittest.main()
